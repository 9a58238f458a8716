/** The plain pages' one stylesheet. */

export const PLAIN_CSS = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #5a6470; --paper: #fff; --line: #d8dee4; --go: #1a7f37; --stop: #b42318; --warn: #fff4e5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ecf0; --soft: #a3adb8; --paper: #14181d; --line: #333c46; --go: #3fb950; --stop: #ff7b72; --warn: #3a2c14; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.5 system-ui, sans-serif; }
main { max-width: 42rem; margin: 0 auto; padding: 1rem 1rem 6rem; }
h1 { font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; white-space: pre-wrap; }
.who, .deadline, small { color: var(--soft); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; border-bottom: 1px solid var(--line); padding: .5rem 0; }
nav a { padding: .6rem 0; }
nav span { margin-left: auto; }
section { border: 1px solid var(--line); border-radius: .6rem; padding: .75rem 1rem; margin: 1rem 0; overflow-wrap: anywhere; }
dl { margin: 0; display: grid; gap: .4rem; }
dl > div { display: grid; grid-template-columns: minmax(6rem, 30%) 1fr; gap: .75rem; }
dt { color: var(--soft); } dd { margin: 0; min-width: 0; }
section ul { margin: 0; padding-left: 1.1rem; } section dd dl { gap: .2rem; } section li + li { margin-top: .4rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .25rem 0; font-size: .9rem; }
.field, fieldset { margin: 1rem 0; }
fieldset { border: 1px solid var(--line); border-radius: .6rem; padding: .5rem 1rem 1rem; min-width: 0; }
label, legend { font-weight: 600; }
label em, legend em { font-weight: 400; color: var(--soft); font-style: normal; }
.choice { display: flex; gap: .75rem; align-items: start; min-height: 44px; padding: .5rem 0; font-weight: 400; }
.choice input { width: 1.4rem; height: 1.4rem; flex: none; margin: .1rem 0; }
input:not([type=checkbox]):not([type=radio]), textarea, select { width: 100%; min-height: 44px; padding: .6rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--soft); border-radius: .5rem; }
input::file-selector-button { min-height: 40px; margin-right: .75rem; padding: 0 1rem; font: inherit; font-weight: 600; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .4rem; }
[aria-invalid=true] { border-color: var(--stop) !important; }
.problem { color: var(--stop); margin: .25rem 0; }
.notice { background: var(--warn); border-radius: .6rem; padding: .75rem 1rem; }
.actions { position: sticky; bottom: 0; display: flex; flex-wrap: wrap; gap: .6rem; padding: .75rem 0; background: var(--paper); }
button { min-height: 48px; padding: .6rem 1.2rem; font: inherit; font-weight: 600; border-radius: .6rem; border: 1px solid var(--soft); background: transparent; color: inherit; flex: 1 1 8rem; cursor: pointer; }
button.primary { background: var(--go); border-color: var(--go); color: var(--paper); }
button.danger { color: var(--stop); border-color: var(--stop); }
button.quiet { border: 0; color: var(--soft); font-weight: 400; flex: none; min-height: 44px; padding: .25rem .5rem; text-decoration: underline; }
ul.inbox { list-style: none; padding: 0; } ul.inbox li { border-bottom: 1px solid var(--line); padding: .6rem 0; } ul.inbox p { margin: 0; }
ul.inbox a { display: block; padding: .3rem 0; overflow-wrap: anywhere; }
a { color: inherit; } :focus-visible { outline: 3px solid #4c8dff; outline-offset: 2px; }
`;
