import { defineCommand } from '../command.js'

export const proxyCommand = defineCommand({
  name: 'proxy',
  summary: 'an OpenAI-compatible proxy that adds tool calling to text-only servers',
  description:
    'Adds tool calling to a server that only returns text, for every client of the API of OpenAI or Anthropic. ' +
    'Flags win over the environment, and both win over the file.',
  options: {
    config: {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      about: 'the configuration file, YAML or JSON (TOOLGLOT_CONFIG)',
    },
    upstream: {
      type: 'string',
      value: 'URL',
      about: 'the upstream server, such as http://localhost:8080/v1 (TOOLGLOT_UPSTREAM)',
    },
    'upstream-key-env': {
      type: 'string',
      value: 'NAME',
      about: "the variable with that server's key (default: TOOLGLOT_UPSTREAM_API_KEY)",
    },
    host: {
      type: 'string',
      value: 'HOST',
      about: 'the address to listen on; default 127.0.0.1 (TOOLGLOT_HOST)',
    },
    port: {
      type: 'string',
      value: 'PORT',
      about: 'the port, 0 for a free one; default 4141 (TOOLGLOT_PORT)',
    },
    insecure: {
      type: 'boolean',
      about: 'listen on any address without keys of clients: everybody who reaches it may use it',
    },
    protocol: {
      type: 'string',
      value: 'NAME',
      completes: 'protocol',
      about: 'how models write their calls; default auto (TOOLGLOT_PROTOCOL)',
    },
    mode: {
      type: 'string',
      value: 'MODE',
      completes: ['prompt', 'rescue', 'off'],
      about:
        'prompt: write the tools into the prompt; rescue: find calls that the server missed; off: pass through (TOOLGLOT_MODE)',
    },
    reasoning: { type: 'boolean', about: 'return <think> blocks as reasoning, not as text' },
    'api-key-env': {
      type: 'string',
      value: 'NAME',
      about:
        'the variable with the keys of clients, separated by commas (default: TOOLGLOT_API_KEYS)',
    },
    drain: {
      type: 'string',
      value: 'TIME',
      about: 'how long answers may continue after the signal to stop; default 30s',
    },
    'log-level': {
      type: 'string',
      value: 'LEVEL',
      completes: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      about: 'the level of the log; default info (TOOLGLOT_LOG_LEVEL)',
    },
    'log-bodies': {
      type: 'boolean',
      about: 'log the bodies of requests and answers; they contain what users wrote',
    },
    check: { type: 'boolean', about: 'only check the configuration, and try the upstream servers' },
  },
  more: `Signals: SIGHUP reads the configuration again without ending a stream; SIGTERM
and SIGINT wait for the answers to end, a second one cuts them off.

Exit codes: 0 stopped after every answer ended, 1 it could not listen or answers
were cut off, 2 the options or the configuration are invalid.
`,
  // Loaded only when it runs: the other commands do not need a server.
  run: async context => (await import('./run-proxy.js')).runProxy(context),
})
