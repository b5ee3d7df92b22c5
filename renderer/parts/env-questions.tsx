import type { EnvOutcome } from '../../shared/ipc/keys/secrets.ts'
import { Button } from '../kit/button.tsx'
import { Note } from '../kit/layout/note.tsx'

export type Asked = Extract<EnvOutcome, { readonly state: 'asks' }>

function Question({ about }: { readonly about: Asked['questions'][number] }) {
  switch (about.about) {
    case 'link':
      return (
        <p>
          It is a link to <code>{about.target}</code>. The link is replaced by a file of its own; the other one is left as it is.
        </p>
      )
    case 'not_ignored':
      return (
        <p>
          Git does not ignore it in <code>{about.workTree}</code>: it could be committed with the secret in it.
        </p>
      )
    case 'git_unknown':
      return (
        <p>
          It is inside <code>{about.workTree}</code>, and the app could not read whether Git ignores it.
        </p>
      )
  }
}

interface QuestionsProps {
  readonly asked: Asked
  readonly busy: boolean
  readonly onAnswer: (word: 'write' | 'ignore' | 'cancel') => void
}

/** What the user decides on before a secret is written into a file. Nothing was written yet. */
export function EnvQuestions({ asked, busy, onAnswer }: QuestionsProps) {
  return (
    <Note tone="warn" live title="Before it is written">
      <p>
        <code>{asked.path}</code>
      </p>
      {asked.questions.map((about) => (
        <Question key={about.about} about={about} />
      ))}
      <span className="note-acts">
        {asked.questions.some(({ about }) => about === 'not_ignored') ? (
          <Button size="xs" variant="primary" busy={busy} onClick={() => onAnswer('ignore')}>
            Add it to .gitignore and save
          </Button>
        ) : null}
        <Button size="xs" busy={busy} onClick={() => onAnswer('write')}>
          Save it all the same
        </Button>
        <Button size="xs" variant="ghost" onClick={() => onAnswer('cancel')}>
          Do not save
        </Button>
      </span>
    </Note>
  )
}
