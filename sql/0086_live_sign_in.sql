-- Sign-ins to live servers elsewhere, sealed: without the secret that signs links nobody reads them.

CREATE TABLE live_sign_in (
    service text NOT NULL,
    secret_mark text NOT NULL,           -- tells with which secret it is sealed, and not what that is
    sealed text NOT NULL,
    renewed_until timestamptz,           -- one process renews it until then
    PRIMARY KEY (service, secret_mark)
);
