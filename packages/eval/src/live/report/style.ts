/** The style of the report. Both colour schemes define the same names. */
export const style = `
:root { color-scheme: light dark; --paper: #fdfdfb; --ink: #1d2126; --soft: #5d6670; --line: #dcdfe2; --panel: #f4f5f3;
  --mark: #1f5fbf; --band: #1f5fbf40; --second: #b26a00; --bad: #b3261e; --good-cell: #cdebd5; --mid-cell: #f6e8b8; --bad-cell: #f6cfcb; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e4e7ea; --soft: #98a2ad; --line: #30363c; --panel: #1c2125;
  --mark: #7fb0ff; --band: #7fb0ff45; --second: #f0b35c; --bad: #ff9a91; --good-cell: #1d4a2c; --mid-cell: #54471a; --bad-cell: #5c2420; } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 68rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .3rem; overflow-wrap: anywhere }
h2 { font-size: 1.15rem; margin: 2.4rem 0 .6rem }
p { margin: .4rem 0; max-width: 46rem }
.soft, figcaption { color: var(--soft); font-size: .875rem }
.notice { border-left: 4px solid var(--second); background: var(--panel); padding: .5rem .8rem; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .9rem }
th, td { padding: .35rem .7rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap }
tr:last-child td, tr:last-child th { border-bottom: 0 }
thead th { color: var(--soft); font-weight: 500; background: var(--panel); vertical-align: bottom }
th[scope=row], thead th:first-child { text-align: left; font-weight: 500; position: sticky; left: 0; background: var(--paper) }
thead th:first-child { background: var(--panel) }
td small { color: var(--soft); display: block; line-height: 1.1 }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 1.2rem 2rem }
figure { margin: 0 } figcaption { margin-bottom: .3rem }
.row { display: grid; grid-template-columns: minmax(4.5rem, 26%) 1fr 4.2rem; gap: .6rem; align-items: center; font-size: .875rem;
  font-variant-numeric: tabular-nums }
.row > :first-child { overflow-wrap: anywhere; line-height: 1.15 } .row > :last-child { text-align: right }
svg { display: block; width: 100%; overflow: visible }
svg text { fill: var(--soft); font-size: 11px }
.grid { stroke: var(--line) } .whisker { stroke: var(--band); stroke-width: 9 } .dot { fill: var(--mark) }
.bar { fill: var(--mark) } .bar2 { fill: var(--second) } .error { stroke: var(--ink); stroke-width: 1.5 }
.matrix thead th:not(:first-child) { text-align: center } .matrix td:last-child, .matrix thead th:last-child { text-align: left; width: 40% }
.matrix td { text-align: center; padding: .25rem .7rem } .matrix th[scope=row] { font: .8rem/1.6 ui-monospace, monospace }
.matrix .kind td, .matrix .kind th { background: var(--panel); font: 500 .85rem/1.6 system-ui, sans-serif; color: var(--soft) }
.all { background: var(--good-cell) } .some { background: var(--mid-cell) } .none { background: var(--bad-cell) }
details { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; background: var(--panel) }
summary { cursor: pointer; padding: .4rem .7rem; overflow-wrap: anywhere }
details > div { padding: 0 .8rem .8rem; border-top: 1px solid var(--line); background: var(--paper); border-radius: 0 0 6px 6px }
h3 { font-size: .9rem; margin: .8rem 0 .2rem } ul { margin: .2rem 0; padding-left: 1.2rem } li { overflow-wrap: anywhere }
pre { margin: .2rem 0; padding: .5rem .6rem; background: var(--panel); border-radius: 4px; font: .8rem/1.45 ui-monospace, monospace;
  white-space: pre-wrap; overflow-wrap: anywhere; max-height: 30rem; overflow-y: auto }
code { font: .85em ui-monospace, monospace; overflow-wrap: anywhere }
.tag { color: var(--bad); font-weight: 600 }
div + ul { margin-top: .7rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .9rem } dt { color: var(--soft) } dd { margin: 0; overflow-wrap: anywhere }
`
