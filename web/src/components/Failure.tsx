import { Button } from "@cloudflare/kumo/components/button";
import { Component, type PropsWithChildren } from "react";

/** Failure replaces a page that cannot be drawn, for example after a deployment removed its files. */
export class Failure extends Component<PropsWithChildren, { reason?: string }> {
  override state: { reason?: string } = {};

  static getDerivedStateFromError(error: unknown) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    const { reason } = this.state;
    if (reason === undefined) return this.props.children;
    return (
      <main role="alert" className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-4 px-6">
        <h1 className="font-display text-2xl">This page stopped working.</h1>
        <p className="text-quiet">{reason}</p>
        <Button variant="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      </main>
    );
  }
}
