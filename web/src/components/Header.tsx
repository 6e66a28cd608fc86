import { Button } from "@cloudflare/kumo/components/button";
import { NotePencilIcon } from "@phosphor-icons/react";
import { lazy, type ReactNode, Suspense } from "react";
import { openFresh } from "../address";
import type { Deletion } from "../deletion";
import { useAsked, useRoot } from "../hooks/useAbout";
import type { Phase } from "../phase";
import { Clear } from "./Clear";
import { ConnectionStatus } from "./ConnectionStatus";
import { Drawer } from "./Drawer";
import { Wordmark } from "./Wordmark";

// A developer's page only.
const BuildWord = lazy(() => import("../dev/BuildWord"));
const BuildPanel = lazy(() => import("../dev/BuildPanel"));

interface HeaderProps {
  name: string;
  /** The conversation's title; empty before its first message. */
  title?: string;
  phase: Phase;
  /** What clearing deletes; absent while there is nothing to clear. */
  deletion?: Deletion | undefined;
  onClear?: () => void;
  /** Further buttons. */
  children?: ReactNode;
}

/**
 * Header shows the conversation's name, the connection's phase, and the buttons to clear it or begin another. A developer's
 * header also shows the state of the build.
 */
export function Header({ name, title = "", phase, deletion, onClear = () => undefined, children }: HeaderProps) {
  const root = useRoot();
  const dev = useAsked().about?.dev;
  return (
    <>
      <header className="mx-auto flex h-14 w-full max-w-184 items-center gap-2 px-4 sm:px-6">
        <Drawer name={name} />
        <span className="min-w-0 lg:hidden">
          <Wordmark />
        </span>
        {title && (
          <h1 className="min-w-0 truncate text-sm text-quiet max-lg:sr-only" title={name}>
            {title}
          </h1>
        )}
        <div className="ml-auto flex shrink-0 items-center gap-1 sm:gap-2">
          <Suspense>{dev && <BuildWord address={dev} connected={phase === "connected"} />}</Suspense>
          <ConnectionStatus phase={phase} label="Connection" />
          {children}
          <Clear deletion={deletion} onClear={onClear} />
          <span className="lg:hidden">
            <Button
              variant="ghost"
              aria-label="New chat"
              icon={<NotePencilIcon size={17} />}
              onClick={() => openFresh(root?.key ?? "")}
            >
              <span className="max-sm:hidden">New chat</span>
            </Button>
          </span>
        </div>
      </header>
      <Suspense>{dev && <BuildPanel address={dev} />}</Suspense>
    </>
  );
}
