/**
 * The users that the processes of a service started by root run as. None of them has an account: the numbers lie where
 * neither Linux distributions nor systemd give any out (60706 to 61183), and below 65536, where a container may end.
 */
export const postgresUid = 60_706;

/** One for each parser that runs at a time. */
export const parserUids = { first: 60_720, count: 400 } as const;
