// Lists that choose a head, in the HTML of stand-alone pages; head_choice.js fills them there.

export const headLists = `<label>Example <select id="example"></select></label>
<label>Layer <select id="layer"></select></label>
<label>Head <select id="head"></select></label>`;
