import uWS from '@trufflesuite/uws-js-unofficial';

import { refuse } from './lib/environment.js';

// Where it has no binary, this copy falls back to node:http, which is another server. The build runs
// this file, so that such a server is not even started.
if (!uWS.SSLApp) {
  refuse(`uWebSockets.js has no binary for Node.js ${process.versions.node} here: use Node.js 20`);
}

export default uWS;
