#!/bin/sh
# Run once by the image of PostgreSQL: the roles of docs/operations.md. The service's owns its tables and is no superuser.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" --username="${POSTGRES_USER:-postgres}" <<'SQL'
create role footnote_app nologin;
create role footnote login password :'password';
grant footnote_app to footnote with set true, inherit false;
create database footnote owner footnote;
SQL
