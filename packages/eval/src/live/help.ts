export const help = `Measures how well a model calls tools: with the endpoint's own tool calling, and with the protocols of toolglot.

  npm run build && npm run bench:live -- --base-url URL --model NAME [options]
  OPENROUTER_API_KEY=... npm run bench:live -- --models a,b [options]

Which models
  --base-url URL        an OpenAI-compatible endpoint, such as http://localhost:8080/v1
  --model NAME          the model of that endpoint
  --models LIST         several models, with commas between the names: one report compares them

  These variables are read from the environment, or from a file .env in the working directory (.env.example shows all
  of them). Variables that are set win over the file, and flags win over both. A key is sent to its own endpoint only.
  TOOLGLOT_API_KEY      the key for --base-url
  OPENROUTER_API_KEY    the key for https://openrouter.ai/api/v1, which is asked if there is no --base-url
  ZAI_API_KEY           the key for ZAI_BASE_URL (default: https://api.z.ai/api/paas/v4), asked likewise
  ZAI_MODEL             the model of Z.ai, if there is no --model; with both vendors set this model is asked at Z.ai and
                        all others at OpenRouter

What is run
  --protocols LIST      names with commas between them (default: native,hermes; with --ablation native,wire); native is
                        the endpoint's own "tools" field, the others are: {protocols}
  --ablation NAME       also run the protocols with one thing changed, as rows of their own; may be given several times:
                        syntax=json      wire or line with JSON arguments instead
                        no-manual        wire, compact_json and line without the explanation of their syntax
                        placement=first  the tools before all else in the system message; the other rows have them last
                        placement=last   the tools after all else; the other rows have them first
  --reps N              how often each task is run (default: 3)
  --cases LIST          only these tasks, by their exact names, with commas between them
  --filter TEXT         only tasks whose name or category contains TEXT; may be given several times
  --kind KIND           only these tasks: single, agent or bfcl; may be given several times
  --bfcl DIR            also run the files of the Berkeley Function-Calling Leaderboard in this directory
  --bfcl-limit N        at most N of them a category, chosen by the seed
  --list                list the tasks and stop
  --dry                 show what would be run and stop; nothing is sent

How it is run
  --stream              stream the answers
  --temperature N       default: 0; "default" leaves it to the endpoint
  --seed N              for the endpoint, samples, shuffles and intervals (default: 1)
  --max-steps N         steps of an agent task (default: 16)
  --max-output-tokens N limit of one answer (default: that of the endpoint)
  --timeout SECONDS     for one run, retries included (default: 300); a run that takes longer has failed
  --concurrency N       runs at the same time (default: 1)
  --retries N           tries again after 429, 5xx and broken connections (default: 4)

Settings of all rows
  --no-tool-descriptions        tools without their descriptions
  --no-parameter-descriptions   parameters without theirs
  --placement first|last        where a protocol's tools are in the system message (default: first)
  --system TEXT                 another system message than "{system}"
  --no-system                   no system message of ours
  --shuffle-tools               tools in another order in each repetition
  --distractors N               N tools more that no task needs (at most {distractors})
  --tool-choice auto|required   required: the first step must call a tool (default: auto)

Judge
  --judge-model NAME    lets a model grade the final answers of agent tasks, reported apart
  --judge-base-url URL  its endpoint (default: the same); TOOLGLOT_JUDGE_API_KEY is its key

Results
  --out DIR             results.jsonl, summary.json and report.html (default: bench-live-results/<models>); runs that are
                        there already, with the same settings, are not made again
  --resume FILE         goes on with this results.jsonl; the report is written beside it
  --help                this text

Exit code 1 if the endpoint cannot be reached or runs could not be made, 2 if the options are wrong, 130 after Ctrl-C.
`
