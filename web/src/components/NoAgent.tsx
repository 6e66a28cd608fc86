import { Button } from "@cloudflare/kumo/components/button";
import type { PropsWithChildren } from "react";
import { askAbout } from "../about";
import { openFresh } from "../address";
import { Drawer } from "./Drawer";
import { Wordmark } from "./Wordmark";

interface NoAnswerProps {
  /** What the server did instead, in a sentence. */
  reason: string;
  asking: boolean;
}

/** NoAnswer says that the server did not say whom people can talk to, and asks again. */
export function NoAnswer({ reason, asking }: NoAnswerProps) {
  return (
    <Note title="The server did not say which agent is here." text={reason}>
      <Button variant="primary" disabled={asking} onClick={() => void askAbout()}>
        Try again
      </Button>
    </Note>
  );
}

/** NoAgent says that the address names an agent that the server does not have. */
export function NoAgent({ agent }: { agent: string }) {
  return (
    <Note title={`There is no agent “${agent}” here.`} text="The address may be of another version.">
      <Button variant="primary" onClick={() => openFresh("")}>
        New chat
      </Button>
    </Note>
  );
}

function Note({ title, text, children }: PropsWithChildren<{ title: string; text: string }>) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="mx-auto flex h-14 w-full max-w-184 shrink-0 items-center gap-2 px-4 sm:px-6">
        <Drawer name="" />
        <span className="min-w-0 lg:hidden">
          <Wordmark />
        </span>
      </header>
      <main className="mx-auto flex w-full max-w-184 grow flex-col justify-center px-4 pb-14 sm:px-6">
        <div role="alert">
          <h1 className="font-display text-2xl text-balance wrap-anywhere">{title}</h1>
          <p className="mt-3 mb-6 text-quiet">{text}</p>
          {children}
        </div>
      </main>
    </div>
  );
}
