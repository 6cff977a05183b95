import { defineCommand } from '../command.js'

export const proxyCommand = defineCommand({
  name: 'proxy',
  summary: 'an OpenAI-compatible server that makes a server of text call tools',
  description:
    'Stands in front of a server that only gives text and makes it call tools, for every client that speaks the API of OpenAI or Anthropic. ' +
    'Flags win over the environment, and both win over the file.',
  options: {
    config: {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      about: 'configuration, YAML or JSON (TOOLGLOT_CONFIG)',
    },
    upstream: {
      type: 'string',
      value: 'URL',
      about: 'the server behind, such as http://localhost:8080/v1 (TOOLGLOT_UPSTREAM)',
    },
    'upstream-key-env': {
      type: 'string',
      value: 'NAME',
      about: "the variable that holds that server's key (default: TOOLGLOT_UPSTREAM_API_KEY)",
    },
    host: {
      type: 'string',
      value: 'HOST',
      about: 'the address to listen on; 127.0.0.1 (TOOLGLOT_HOST)',
    },
    port: {
      type: 'string',
      value: 'PORT',
      about: 'the port, 0 for a free one; 4141 (TOOLGLOT_PORT)',
    },
    protocol: {
      type: 'string',
      value: 'NAME',
      completes: 'protocol',
      about: 'how models write their calls; auto (TOOLGLOT_PROTOCOL)',
    },
    mode: {
      type: 'string',
      value: 'MODE',
      completes: ['prompt', 'rescue', 'off'],
      about:
        'prompt: tools go into the prompt; rescue: only overlooked calls are found; off (TOOLGLOT_MODE)',
    },
    reasoning: { type: 'boolean', about: 'what models think becomes reasoning' },
    'api-key-env': {
      type: 'string',
      value: 'NAME',
      about:
        'the variable that holds the keys of clients, separated by commas (default: TOOLGLOT_API_KEYS)',
    },
    drain: {
      type: 'string',
      value: 'TIME',
      about: 'how long answers may go on after the signal to stop; 30s',
    },
    'log-level': {
      type: 'string',
      value: 'LEVEL',
      completes: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      about: 'how much is logged; info (TOOLGLOT_LOG_LEVEL)',
    },
    'log-bodies': {
      type: 'boolean',
      about: 'log the bodies of requests and what is answered; they hold what users wrote',
    },
    check: { type: 'boolean', about: 'read the configuration, say whether it is right, and end' },
  },
  more: `Signals: SIGHUP reads the configuration again and drops no stream; SIGTERM and
SIGINT let answers end, a second one cuts them off.

Exit codes: 0 stopped and every answer ended, 1 it could not listen or answers
were cut off, 2 the options or the configuration are wrong.
`,
  // Only when it runs: it brings a server along, which the other commands do not need.
  run: async context => (await import('./run-proxy.js')).runProxy(context),
})
