import { Button } from "@cloudflare/kumo/components/button";
import { useState } from "react";
import { renewToken } from "../address";
import type { Refusal } from "../phase";
import { Problem } from "./Problem";

interface RefusedProps {
  refusal: Refusal;
  onRetry: (() => void) | undefined;
}

/** Refused says why the server refused the connection, and asks for a new token where that may help. */
export function Refused({ refusal, onRetry }: RefusedProps) {
  return (
    <>
      <Problem title="The server refused the connection" text={refusal.text} onRetry={onRetry} />
      {refusal.renewable && <TokenForm />}
    </>
  );
}

function TokenForm() {
  const [draft, setDraft] = useState("");
  const token = draft.trim();
  return (
    <form
      className="appear mb-3 flex items-center gap-2 rounded-xl border border-line bg-surface px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (token) renewToken(token);
      }}
    >
      <input
        type="password"
        autoComplete="off"
        aria-label="New token"
        placeholder="New token"
        className="min-w-0 grow bg-transparent text-sm outline-none placeholder:text-quiet"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
      <Button type="submit" size="sm" variant="primary" disabled={!token}>
        Connect
      </Button>
    </form>
  );
}
