export const help = `Measures how well a model calls tools, with the endpoint's own tool calling and with the protocols of toolglot.

  npm run build && npm run bench:live -- --base-url URL --model NAME [options]
  OPENROUTER_API_KEY=... npm run bench:live -- --models a,b [options]

Which models
  --base-url URL        an OpenAI-compatible endpoint, such as http://localhost:8080/v1
  --model NAME          the model of that endpoint
  --models LIST         several models, separated by commas; one report compares them

  These variables are read from the environment, or from a file .env in the working directory (.env.example shows all
  of them). Variables that are set win over the file, and flags win over both. A key is sent only to its own endpoint.
  TOOLGLOT_API_KEY      the key for --base-url
  OPENROUTER_API_KEY    the key for https://openrouter.ai/api/v1, which is used without --base-url
  ZAI_API_KEY           the key for ZAI_BASE_URL (default: https://api.z.ai/api/paas/v4), used likewise
  ZAI_MODEL             the model of Z.ai, if there is no --model; with both keys set this model is run at Z.ai and
                        all others at OpenRouter

What is run
  --protocols LIST      names separated by commas (default: native,hermes; with --ablation native,wire); native is
                        the endpoint's own "tools" field, the others are: {protocols}
  --ablation NAME       also run the protocols with one change, as separate rows; may be repeated:
                        syntax=json      wire or line with JSON arguments instead
                        no-manual        wire, compact_json and line without the explanation of their syntax
                        placement=first  the tools at the start of the system message; the other rows have them at the end
                        placement=last   the tools at the end; the other rows have them at the start
  --reps N              the number of runs of each task (default: 3)
  --cases LIST          only these tasks, by their exact names, separated by commas
  --filter TEXT         only tasks whose name or category contains TEXT; may be repeated
  --kind KIND           only these tasks: single, agent or bfcl; may be repeated
  --bfcl DIR            also run the files of the Berkeley Function-Calling Leaderboard in this directory
  --bfcl-limit N        at most N of them per category, chosen by the seed
  --list                list the tasks and stop
  --dry                 show what would be run and stop; nothing is sent

How it is run
  --stream              stream the answers
  --temperature N       default: 0; "default" uses that of the endpoint
  --seed N              for the endpoint, samples, shuffles and intervals (default: 1)
  --max-steps N         the most steps of an agent task (default: 16)
  --max-output-tokens N the token limit of one answer (default: that of the endpoint)
  --timeout SECONDS     the time limit of one run, with retries (default: 300); a longer run fails
  --concurrency N       runs at the same time (default: 1)
  --retries N           retries after 429, 5xx and broken connections (default: 4)

Settings of all rows
  --no-tool-descriptions        tools without their descriptions
  --no-parameter-descriptions   parameters without their descriptions
  --placement first|last        the place of a protocol's tools in the system message (default: first)
  --system TEXT                 the system message (default: "{system}")
  --no-system                   no system message
  --shuffle-tools               a different order of tools in each repetition
  --distractors N               N additional tools that no task needs (at most {distractors})
  --tool-choice auto|required   required: the first step must call a tool (default: auto)

Judge
  --judge-model NAME    let a model grade the final answers of agent tasks; reported separately
  --judge-base-url URL  its endpoint (default: the same); TOOLGLOT_JUDGE_API_KEY is its key

Results
  --out DIR             results.jsonl, summary.json and report.html (default: bench-live-results/<models>); runs that
                        exist already, with the same settings, are not repeated
  --resume FILE         continue this results.jsonl; the report is written next to it
  --help                show this help

Exit code 1 if the endpoint cannot be reached or runs could not be made, 2 for wrong usage, 130 after Ctrl-C.
`
