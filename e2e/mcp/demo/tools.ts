// The tools, the prompt and the resource of the demo server.
import {
  acceptedContent,
  type CallToolResult,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import { type Office, sheets } from "./office.ts";
import { extension } from "./tasks.ts";

type Kind = "string" | "integer";

/** An object whose properties are all required. Each is described by its kind and a few words. */
function object<T>(properties: Record<string, [type: Kind, description: string]>) {
  const described = Object.entries(properties).map(([name, [type, description]]) => [name, { type, description }]);
  return fromJsonSchema<T>({
    type: "object",
    properties: Object.fromEntries(described),
    required: Object.keys(properties),
  });
}

const say = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

const skies = ["Sun", "Rain", "Snow", "Fog", "Wind"];

/** A sun that goes down behind the sea, as a PNG. */
const sun = [
  "iVBORw0KGgoAAAANSUhEUgAAADAAAAAgAgMAAAApuhOPAAAADFBMVEUdTomOyub/twP///9I2S6dAAAARUlEQVR42mMIRQIMNOdM",
  "ReKsWjUVzolatWolnJO1atUqOAfIBqvD4ISBOEtJ40SBOCtJ0MNwAAnxICEUCQY8cqRLoJgGAOFWezIYWZXTAAAAAElFTkSuQmCC",
].join("");

/** sumOf is a number that follows from a text. */
const sumOf = (text: string) => [...text].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0);

/** progress tells a client how far a call is, if it wants to know. */
function progress({ mcpReq }: ServerContext, total: number, message: string) {
  const progressToken = mcpReq._meta?.progressToken;
  return async (done: number) => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress: done, total, message: `${message} ${done + 1} of ${total}` };
    await mcpReq.notify({ method: "notifications/progress", params });
  };
}

const booking = {
  type: "object" as const,
  properties: {
    day: { type: "string" as const, title: "Day", enum: ["Monday", "Tuesday", "Friday"], description: "Which day" },
    guests: {
      type: "integer" as const,
      title: "Guests",
      minimum: 1,
      maximum: 12,
      default: 2,
      description: "How many guests",
    },
  },
  required: ["day", "guests"],
};

/** serverOf makes a server for one request. */
export function serverOf(office: Office): McpServer {
  const server = new McpServer(
    { name: "tributary-demo", title: "Demo", version: "1.0.0" },
    {
      capabilities: { extensions: { [extension]: {} } },
      instructions: "A small office to try things with. Nothing here is real.",
    },
  );

  const config = <T>(
    name: string,
    description: string,
    annotations: ToolAnnotations,
    properties: Parameters<typeof object>[0],
  ) => ({ description: office.described.get(name) ?? description, annotations, inputSchema: object<T>(properties) });
  const reads: ToolAnnotations = { readOnlyHint: true };
  const writes: ToolAnnotations = { readOnlyHint: false, destructiveHint: false };

  server.registerTool(
    "weather",
    config<{ city: string }>("weather", "Says the weather of a city.", reads, { city: ["string", "the city"] }),
    async ({ city }) => {
      office.calls.push("weather");
      const sum = sumOf(city);
      return say(`${skies[sum % skies.length]} in ${city}, ${sum % 30} °C.`);
    },
  );

  server.registerTool(
    "picture",
    config<{ city: string }>("picture", "Paints a picture of a city.", reads, { city: ["string", "the city"] }),
    async ({ city }) => {
      office.calls.push("picture");
      const image = { type: "image" as const, mimeType: "image/png", data: sun };
      return { content: [{ type: "text", text: `${city} in the evening.` }, image] };
    },
  );

  server.registerTool(
    "notes",
    { description: "Lists the notes.", annotations: reads, inputSchema: object<Record<string, never>>({}) },
    async () => say(office.notes.map((note, i) => `${i + 1}. ${note}`).join("\n") || "There are no notes."),
  );

  server.registerTool(
    "note",
    config<{ text: string }>("note", "Writes a note.", writes, { text: ["string", "what to note"] }),
    async ({ text }) => {
      office.calls.push("note");
      office.notes.push(text);
      return say(`Noted as number ${office.notes.length}.`);
    },
  );

  server.registerTool(
    "count",
    config<{ to: number }>("count", "Counts slowly, and tells how far it is.", reads, { to: ["integer", "how far"] }),
    async ({ to }, ctx) => {
      office.calls.push("count");
      const total = Math.min(Math.max(to, 1), 100);
      await office.work(total, progress(ctx, total, "Counting"));
      return say(`It is ${total}.`);
    },
  );

  server.registerTool(
    "print",
    config<{ title: string }>(
      "print",
      "Prints a book, which takes a while. It is a task for clients that take tasks.",
      writes,
      {
        title: ["string", "the title of the book"],
      },
    ),
    async ({ title }, ctx) => {
      office.calls.push("print");
      return say(await office.print(title, progress(ctx, sheets, "Sheet")));
    },
  );

  server.registerTool(
    "book",
    config<{ restaurant: string }>("book", "Books a table. It asks for the day and the number of guests.", writes, {
      restaurant: ["string", "the restaurant"],
    }),
    async ({ restaurant }, { mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, "table");
      if (answer.kind === "missing") {
        office.calls.push("book");
        const message = `When do you want to eat at ${restaurant}?`;
        const table = inputRequired.elicit({ message, requestedSchema: booking });
        return inputRequired({ inputRequests: { table }, requestState: office.ask() });
      }
      office.answered(mcpReq.requestState<string>());
      const table = acceptedContent<{ day: string; guests: number }>(mcpReq.inputResponses, "table");
      if (!table) return say("No table was booked.");
      office.bookings.push(`${restaurant}, ${table.day}, ${table.guests}`);
      return say(`A table at ${restaurant} is booked for ${table.guests} on ${table.day}.`);
    },
  );

  server.registerTool(
    "sign",
    config<{ letter: string }>("sign", "Has a person sign a letter on a page of this server.", writes, {
      letter: ["string", "what the letter is about"],
    }),
    async ({ letter }, { mcpReq }) => {
      const link = mcpReq.requestState<string>() ?? office.letter();
      const answer = inputResponse(mcpReq.inputResponses, "signed");
      if (answer.kind !== "missing" && office.isSigned(link)) return say(`The letter about ${letter} is signed.`);
      if (answer.kind !== "missing") return say(`The letter about ${letter} is not signed.`);
      office.calls.push("sign");
      const signed = inputRequired.elicitUrl({ message: `The letter about ${letter} has to be signed.`, url: link });
      return inputRequired({ inputRequests: { signed }, requestState: link });
    },
  );

  server.registerPrompt("summary", { description: "Has the notes summed up." }, async () => ({
    messages: [{ role: "user", content: { type: "text", text: `Sum these up:\n${office.notes.join("\n")}` } }],
  }));

  server.registerResource(
    "notes",
    "demo://notes",
    { description: "All notes.", mimeType: "text/plain" },
    async ({ href }) => ({
      contents: [{ uri: href, mimeType: "text/plain", text: office.notes.join("\n") }],
    }),
  );

  return server;
}
