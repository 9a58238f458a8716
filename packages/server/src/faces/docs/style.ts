/** The reference's one stylesheet. */

export const DOCS_CSS = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #5a6470; --paper: #fff; --tint: #f6f8fa; --line: #d8dee4; --go: #1a7f37; --stop: #b42318; --link: #0550ae; --post: #8250df; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ecf0; --soft: #a3adb8; --paper: #14181d; --tint: #1c2229; --line: #333c46; --go: #3fb950; --stop: #ff7b72; --link: #6cb6ff; --post: #c297ff; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: minmax(15rem, 20rem) minmax(0, 1fr); background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .2em; }
code, pre, .type, nav ul ul { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
code { font-size: .9em; overflow-wrap: anywhere; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem; background: var(--tint); border-right: 1px solid var(--line); font-size: .9rem; }
nav p { margin: 1.2rem 0 .3rem; font-weight: 700; }
nav .home { margin-top: 0; font-size: 1.15rem; } nav .home a { color: inherit; text-decoration: none; }
nav ul { list-style: none; margin: 0; padding: 0; } nav > ul > li { margin: .5rem 0; }
nav ul ul { padding-left: .6rem; font-size: .78rem; border-left: 2px solid var(--line); }
nav a { display: block; padding: .15rem 0; text-decoration: none; overflow-wrap: anywhere; } nav a:hover { text-decoration: underline; }
nav ul ul a { color: var(--soft); } nav ul ul span { display: inline-block; min-width: 3.6em; font-weight: 700; }
main { max-width: 54rem; padding: 1.5rem clamp(1rem, 4vw, 3rem) 6rem; }
h1 { font-size: 2rem; margin: 0 0 .5rem; } h2 { margin: 3rem 0 1rem; font-size: 1.6rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
h3 { margin: 2.2rem 0 .8rem; font-size: 1.25rem; text-transform: capitalize; } .error h3 { text-transform: none; font-size: 1.05rem; margin: 1.2rem 0 .3rem; } .error p { margin: .2rem 0; }
h4 { margin: 0; font-size: 1.05rem; overflow-wrap: anywhere; }
article { border: 1px solid var(--line); border-radius: .7rem; padding: 1.1rem 1.25rem; margin: 0 0 1.25rem; }
article:target, section.error:target { outline: 3px solid var(--link); outline-offset: 4px; border-radius: .4rem; }
.method { display: inline-block; min-width: 4.2em; text-align: center; padding: .1em .6em; border-radius: .35em; font-size: .8em; color: var(--paper); background: var(--go); }
.method.post { background: var(--post); } .method.delete { background: var(--stop); } .method.put, .method.patch { background: var(--link); }
.summary { font-weight: 600; margin: .6rem 0 .2rem; } .needs, .type, .cure { color: var(--soft); } .needs { margin: .2rem 0 .8rem; font-size: .9rem; }
pre { margin: .8rem 0; padding: .8rem 1rem; background: var(--tint); border-radius: .5rem; overflow-x: auto; font-size: .85rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; }
details { border-top: 1px solid var(--line); } summary { cursor: pointer; padding: .55rem 0; font-weight: 600; } .reply { border-top: 1px solid var(--line); margin: 0; padding: .55rem 0; font-weight: 600; }
dl { margin: 0 0 .8rem; } dl > div { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: .3rem 1rem; padding: .4rem 0; border-top: 1px dashed var(--line); }
dt em { color: var(--stop); font-style: normal; font-size: .8rem; } dd { margin: 0; min-width: 0; overflow-wrap: anywhere; } .type { font-size: .85em; font-weight: 400; }
.status { color: var(--stop); } .status.good { color: var(--go); }
:focus-visible { outline: 3px solid #4c8dff; outline-offset: 2px; }
@media (max-width: 52rem) { body { display: block; } nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); } dl > div { grid-template-columns: minmax(0, 1fr); } main { padding-inline: 1rem; } article { padding: .9rem; } }
`;
