/**
 * A certificate of `idp.example` that signs itself, good for a hundred years, with its key: for servers of tests alone.
 * Made by `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500`.
 */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5YGRvA9mDyr3AxhS
fcGaJt97dyqVwFvVMNGXjxXaM7ihRANCAARRLluwaTJu+0ejxPVy7A1lbkB/ntIZ
W0rygUuCewbTLhYsjOK4wflX4uTkVdT08SrvFLRzeVj44v8MIGs+bilv
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIURivagE3XG1prX9s5x+g8IelMp+owCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLaWRwLmV4YW1wbGUwIBcNMjYxMTIzMDAwMjEzWhgPMjEyNjEw
MzAwMDAyMTNaMBYxFDASBgNVBAMMC2lkcC5leGFtcGxlMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEUS5bsGkybvtHo8T1cuwNZW5Af57SGVtK8oFLgnsG0y4WLIzi
uMH5V+Lk5FXU9PEq7xS0c3lY+OL/DCBrPm4pb6NrMGkwHQYDVR0OBBYEFJEaaOgd
BVE0HrYO6M3j4Cp99E0AMB8GA1UdIwQYMBaAFJEaaOgdBVE0HrYO6M3j4Cp99E0A
MBYGA1UdEQQPMA2CC2lkcC5leGFtcGxlMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZI
zj0EAwIDRwAwRAIgcKpVks9t9KvV/LI+lem6d9FNio4NeSYVCa/4hPAXeL0CIFuM
Sj1WsRdbhfty0mbvCHOkK5+FyHKd6yc6L86jTiUN
-----END CERTIFICATE-----`,
};
