import { Suspense } from "react";
import { currentAgent } from "../address";
import { useAsked, useRoot } from "../hooks/useAbout";
import { useName } from "../hooks/useAddress";
import { Chat } from "./Chat";
import { Failure } from "./Failure";
import { Header } from "./Header";
import { NoAgent, NoAnswer } from "./NoAgent";
import { Sidebar } from "./Sidebar";

/** App shows the conversation that the address names, beside the list of all conversations. */
export function App() {
  const name = useName();
  return (
    <Failure>
      <div className="flex">
        <Sidebar name={name} />
        <div className="min-w-0 grow">
          <Conversation name={name} />
        </div>
      </div>
    </Failure>
  );
}

/** Conversation shows a conversation as soon as the server has said whom people can talk to. */
function Conversation({ name }: { name: string }) {
  const { about, failure, asking } = useAsked();
  const root = useRoot();
  const waiting = <Header name={name} phase="connecting" />;
  if (root) {
    return (
      <Suspense key={`${root.key}/${name}`} fallback={waiting}>
        <Chat root={root} name={name} />
      </Suspense>
    );
  }
  if (about) return <NoAgent agent={currentAgent()} />;
  return failure === undefined ? waiting : <NoAnswer reason={failure} asking={asking} />;
}
