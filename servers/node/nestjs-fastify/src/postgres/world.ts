/** A row of the table world. */
export interface World {
  id: number;
  randomNumber: number;
}

/** Reads a World by its id. A query with a name is prepared once a connection. */
export const READ_WORLD = {
  name: 'read',
  text: 'SELECT id, randomnumber AS "randomNumber" FROM world WHERE id = $1',
};
