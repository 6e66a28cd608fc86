// Projects of the applications that some tests have of their own.
import { cp, rm } from "node:fs/promises";
import { Project } from "./project.ts";

/** Makes a project of the agents in a folder, and builds it. The roots are those agents that have an address. */
export async function application(agents: string, roots: string[]): Promise<Project> {
  const project = await Project.create("-empty", "-page=false");
  await rm(project.path("agents"), { recursive: true });
  await cp(agents, project.path("agents"), { recursive: true });
  await project.edit(
    "wrangler.jsonc",
    [
      '[{ "name": "Assistant", "class_name": "Assistant" }]',
      JSON.stringify(roots.map((name) => ({ name, class_name: name }))),
    ],
    ['"new_sqlite_classes": ["Assistant"]', `"new_sqlite_classes": ${JSON.stringify(roots)}`],
  );
  const { status, said } = await project.tool("build");
  if (status !== 0) throw new Error(said);
  return project;
}
