// The engine writes its log to standard error by itself, and warns of every table that is made. It reads this when it is
// loaded, so this file is imported before it.
process.env.LANCEDB_LOG ??= 'error';
