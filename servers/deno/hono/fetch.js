import { loadApp } from './scenario.js';

const app = await loadApp();

/** Answers a request by the application of the scenario. */
export const fetch = app.fetch;
