// The published client under jsdom, with both majors of the AI SDK that it accepts.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { whole } from "./patience.ts";

/** The timeouts of a project with servers. */
const patient = { testTimeout: whole, hookTimeout: whole };

const client = {
  ...patient,
  environment: "jsdom",
  include: ["e2e/client/**/*.test.ts"],
  globalSetup: "e2e/client/server.ts",
  setupFiles: "e2e/client/socket.ts",
};
// The client's packages are compiled with the tests, so that the alias applies to their imports too.
const inline = { deps: { inline: [/agents/, /@cloudflare\/ai-chat/, /@ai-sdk\/react/, /ai-react-6/] } };

/** The recorded vectors hold AI SDK 6 to the same as AI SDK 7. With it, the other tests of the client run on demand. */
const everything = process.env.TRIBUTARY_DRAW === "all";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    maxWorkers: 3, // their servers wait for each other and for clocks
    projects: [
      { test: { name: "page", include: ["web/src/**/*.test.ts"] } },
      { test: { ...patient, name: "program", include: ["e2e/program/**/*.test.ts"] } },
      { test: { ...client, name: "ai 7", env: { AI_SDK: "7" }, server: inline } },
      ...["workflow", "code", "mcp"].map((name) => ({
        test: {
          ...client,
          name,
          include: [`e2e/${name}/**/*.test.ts`],
          globalSetup: `e2e/${name}/build.ts`,
          server: inline,
        },
      })),
      {
        resolve: {
          alias: [
            { find: /^ai$/, replacement: "ai-6" },
            { find: /^@ai-sdk\/react$/, replacement: "ai-react-6" },
          ],
        },
        test: {
          ...client,
          ...(everything
            ? { exclude: ["e2e/client/project.test.ts", "e2e/client/signal.test.ts"] }
            : { include: ["e2e/client/vectors.test.ts"], globalSetup: [] }),
          name: "ai 6",
          env: { AI_SDK: "6" },
          server: inline,
        },
      },
    ],
  },
});
