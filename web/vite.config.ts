import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: "../build/web",
    emptyOutDir: true,
    // The markdown renderer, which arrives after the page has been drawn.
    chunkSizeWarningLimit: 560,
    rolldownOptions: {
      output: {
        // What changes with a release of its own, and not with the page, is cached on its own.
        codeSplitting: {
          groups: [
            { name: "react", test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: "agents", test: /node_modules\/(agents|partysocket|capnweb|ai|@ai-sdk|zod)\// },
          ],
        },
      },
    },
  },
});
