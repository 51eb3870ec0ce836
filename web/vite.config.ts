import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Puts a compressed copy beside each file that gains by it, so that the server need not compress. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle).filter((each) => /\.(js|css)$/.test(each))) {
        const path = join(dir ?? "", name);
        writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
      }
    },
  };
}

/** What `ricordo serve` fills in when it serves the document, for Vite's own server. */
function served(): Plugin {
  return {
    name: "served",
    apply: "serve",
    transformIndexHtml: (html) => html.replaceAll("__RICORDO_BASE__", "/").replaceAll("__RICORDO_NONCE__", ""),
  };
}

const server = process.env.RICORDO_SERVER ?? "http://127.0.0.1:7667";

export default defineConfig({
  // Relative, so that the same build works behind any path; the document's <base> says which.
  base: "./",
  plugins: [react(), compressed(), served()],
  build: { assetsInlineLimit: 0, emptyOutDir: true, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 900 },
  server: { proxy: Object.fromEntries(["/v1", "/signin", "/signout"].map((path) => [path, server])) },
});
