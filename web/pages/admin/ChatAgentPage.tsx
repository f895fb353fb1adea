import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import type { AgentSettings } from '#contract/agent.ts';
import { messageOf } from '#web/api/call.ts';
import { type ChatAgent, chatAgentQuery, saveChatAgent } from '#web/api/chat-agent.ts';
import styles from '#web/features/agent/Agent.module.css';
import { AgentForm } from '#web/features/agent/AgentForm.tsx';
import { differ, tidy } from '#web/features/agent/settings-words.ts';
import { TryBox } from '#web/features/agent/TryBox.tsx';
import { Versions } from '#web/features/agent/Versions.tsx';
import { words } from '#web/features/agent/words.ts';
import { SaveBar } from '#web/features/settings/SaveBar.tsx';
import { useUnsaved } from '#web/features/settings/use-unsaved.tsx';
import { useTitle } from '#web/lib/title.ts';
import { LoadFailed } from '#web/ui/LoadFailed.tsx';
import { LoadingPart } from '#web/ui/Loading.tsx';
import admin from './Admin.module.css';

/** How the assistant answers: a form, a box to try it beside, and the versions that were saved. */
export function ChatAgentPage() {
  useTitle(words.title);
  const { data, error, refetch } = useQuery(chatAgentQuery);
  return (
    <>
      <h1 className={admin.heading}>{words.title}</h1>
      <p className={admin.sub}>{words.lead}</p>
      {data && <Agent agent={data} />}
      {!data && !error && <LoadingPart />}
      {!data && error && <LoadFailed retry={refetch}>{messageOf(error, words.notLoaded)}</LoadFailed>}
    </>
  );
}

function Agent({ agent }: { agent: ChatAgent }) {
  const [draft, setDraft] = useState<AgentSettings | null>(null);
  const settings = draft ?? agent.settings;
  const hasChanges = draft !== null && differ(draft, agent.settings);
  const sent = useRef(draft);
  const saving = useMutation({
    ...saveChatAgent,
    onMutate: () => {
      sent.current = draft;
    },
    // What is typed while it is on its way is not saved yet.
    onSuccess: () => setDraft((now) => (now === sent.current ? null : now)),
  });
  const question = useUnsaved(hasChanges);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!saving.isPending) saving.mutate(tidy(settings));
  };
  return (
    <>
      <div className={styles.columns}>
        <form className={styles.form} aria-label={words.settings} noValidate onSubmit={submit}>
          <AgentForm
            settings={settings}
            model={agent.model}
            onChange={(changes) => {
              if (!saving.isPending) saving.reset();
              setDraft({ ...settings, ...changes });
            }}
          />
          <SaveBar
            hasChanges={hasChanges}
            isPending={saving.isPending}
            isSaved={saving.isSuccess}
            problem={saving.error ? messageOf(saving.error, words.notSaved) : undefined}
            onDiscard={() => setDraft(null)}
          />
        </form>
        <TryBox settings={tidy(settings)} hasChanges={hasChanges} />
      </div>
      <Versions versions={agent.versions} hasChanges={hasChanges} onRestored={() => setDraft(null)} />
      {question}
    </>
  );
}
