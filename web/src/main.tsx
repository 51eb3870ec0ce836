import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "./app/App";

// A form is sent once where its button is clicked twice: the second click may come when the first one's answer is there.
document.addEventListener(
  "click",
  (event) => {
    if (event.detail > 1 && (event.target as Element).closest("button[type=submit]")) event.preventDefault();
  },
  true,
);

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
