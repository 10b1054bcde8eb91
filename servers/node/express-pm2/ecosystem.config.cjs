// pm2 reads this file by its name, and as CommonJS only.
module.exports = {
  apps: [
    {
      name: 'server',
      script: 'server.js',
      exec_mode: 'cluster',
      instances: Number(process.env.WORKERS),
      // The variable that numbers the workers from 0.
      instance_var: 'WORKER',
      kill_timeout: 3000,
      // Do not look for a version control system around the program.
      vizion: false,
    },
  ],
};
