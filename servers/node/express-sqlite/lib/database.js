import Database from 'better-sqlite3';

import { required } from './environment.js';

/** The database file. Calls block the event loop, for microseconds: there is no server to wait for. */
export const database = new Database(required('WEBDYNO_SQLITE'), { fileMustExist: true });

database.pragma('journal_mode = WAL');
// In this mode a commit is written but does not wait for the disk.
database.pragma('synchronous = NORMAL');
