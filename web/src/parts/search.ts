/** The search field that the key `/` leads to: that of the page at hand, or else the one of the page Memory. */

/** Marks the search field of a page. */
export const SEARCH = { "data-search": true } as const;
/** What a link to the page Memory says in its state, so that its search field gets the focus. */
export const TO_SEARCH = { search: true } as const;

/** Whether the page was opened in order to search. */
export function wantsSearch(): boolean {
  return (window.history.state as { search?: boolean } | null)?.search === true;
}

/** The search field of the page at hand. */
export function searchField(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>("main input[data-search]");
}

/** Whether a key press is meant for what has the focus: text that is written, or a window over the page. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]") !== null;
}
