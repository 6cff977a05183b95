export const help = `Measures how well a model calls tools: with the endpoint's own tool calling, and with the protocols of toolglot.

  npm run build && npm run bench:live -- --base-url URL --model NAME [options]

What is run
  --base-url URL        an OpenAI-compatible endpoint, such as http://localhost:8080/v1; its key is taken from the
                        variable TOOLGLOT_API_KEY, if there is one
  --model NAME          the model of that endpoint
  --protocols LIST      names with commas between them (default: native,hermes); native is the endpoint's own
                        "tools" field, the others are: {protocols}
  --reps N              how often each task is run (default: 3)
  --kind KIND           only these tasks: single, agent or bfcl; may be given several times
  --filter TEXT         only tasks whose id or category contains TEXT; may be given several times
  --bfcl DIR            also run the files of the Berkeley Function-Calling Leaderboard in this directory
  --bfcl-limit N        at most N of them a category, chosen by the seed
  --list                list the tasks and stop

How it is run
  --stream              stream the answers
  --temperature N       default: 0; "default" leaves it to the endpoint
  --seed N              for the endpoint, samples, shuffles and intervals (default: 1)
  --max-steps N         steps of an agent task (default: 16)
  --max-output-tokens N limit of one answer (default: that of the endpoint)
  --timeout SECONDS     for one run, retries included (default: 300); a run that takes longer has failed
  --concurrency N       runs at the same time (default: 1)
  --retries N           tries again after 429, 5xx and broken connections (default: 4)

Ablations
  --no-tool-descriptions        tools without their descriptions
  --no-parameter-descriptions   parameters without theirs
  --placement first|last        where a protocol's tools stand in the system message (default: first)
  --system TEXT                 another system message than "{system}"
  --no-system                   no system message of ours
  --shuffle-tools               tools in another order in each repetition
  --distractors N               N tools more that no task needs (at most {distractors})
  --tool-choice auto|required   required: the first step must call a tool (default: auto)

Judge
  --judge-model NAME    lets a model grade the final answers of agent tasks, reported apart
  --judge-base-url URL  its endpoint (default: the same); its key is taken from TOOLGLOT_JUDGE_API_KEY

Results
  --out DIR             results.jsonl, summary.json and report.html (default: bench-live-results/<model>); runs that are
                        there already, with the same settings, are not made again
  --help                this text

Exit code 1 if the endpoint cannot be reached or runs could not be made, 2 if the options are wrong, 130 after Ctrl-C.
`
