/**
 * A certificate of `idp.example` and `localhost` that signs itself, good for a hundred years, with its key: for servers
 * of tests alone. Made by `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500`, with
 * `subjectAltName` of both.
 */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguLk5lC/zMOAR0jtV
oD8Dn1musTk5ahGqvReKylJ5O5GhRANCAAQlsFrtCO6APgyS4rP7v4f/cSyzeNtc
tt1+tjg+p13KmeM68Rb42OzU4lF9KNlXbhgQ/nmQss2uOP0v3spVc5i3
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBpjCCAUygAwIBAgIUNFeJGJ3PvzeEPGRaMRC1chq4fZYwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLaWRwLmV4YW1wbGUwIBcNMjYxMTIzMDQ0MzIyWhgPMjEyNjEw
MzAwNDQzMjJaMBYxFDASBgNVBAMMC2lkcC5leGFtcGxlMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEJbBa7QjugD4MkuKz+7+H/3Ess3jbXLbdfrY4PqddypnjOvEW
+Njs1OJRfSjZV24YEP55kLLNrjj9L97KVXOYt6N2MHQwHQYDVR0OBBYEFJOFjtJ0
z0xgw1z2NOHPiKoEZK1gMB8GA1UdIwQYMBaAFJOFjtJ0z0xgw1z2NOHPiKoEZK1g
MA8GA1UdEwEB/wQFMAMBAf8wIQYDVR0RBBowGIILaWRwLmV4YW1wbGWCCWxvY2Fs
aG9zdDAKBggqhkjOPQQDAgNIADBFAiAzCa6ETHzCMt3ZTQfZ2gOQP0ChovzbUoeG
BkRTttm+4gIhANRXw4t9Opb2pEdcouZtRArz80Qli9SQ2/n3gVkkhLOl
-----END CERTIFICATE-----`,
};
