import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  // A folder of packages that is a link gives the same page.
  resolve: { preserveSymlinks: true },
  plugins: [react(), tailwindcss()],
  build: {
    outDir: "../build/web",
    emptyOutDir: true,
    // The Markdown renderer is loaded after the page has been drawn.
    chunkSizeWarningLimit: 560,
    rolldownOptions: {
      output: {
        // Packages that change with their own releases are cached apart from the page.
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
