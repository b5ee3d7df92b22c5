import type { EnvOutcome } from '../../../shared/ipc/secrets.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../ipc/use-desk.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Note } from '../../ui/note.tsx'

type Asked = Extract<EnvOutcome, { readonly state: 'asks' }>

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
          It is inside <code>{about.workTree}</code>, and git could not say whether it ignores it.
        </p>
      )
  }
}

/** What the user decides on before a secret is written into a file. Nothing was written yet. `onDone` gets the path, or null when it was left. */
export function EnvQuestions({ asked, onDone }: { readonly asked: Asked; readonly onDone: (path: string | null) => void }) {
  const answer = useDeskCommand('secrets.answerEnv')
  const now = answer.data?.state === 'asks' ? answer.data : asked
  const give = (word: 'write' | 'ignore' | 'cancel') =>
    answer.mutate(
      { id: now.id, answer: word },
      {
        onSuccess: (done) => {
          if (done.state !== 'asks') onDone(done.state === 'saved' ? done.path : null)
        },
      },
    )
  return (
    <Note tone="warn" live title="Before it is written">
      <p>
        <code>{now.path}</code>
      </p>
      {now.questions.map((about) => (
        <Question key={about.about} about={about} />
      ))}
      <span className="k-acts">
        {now.questions.some(({ about }) => about === 'not_ignored') ? (
          <Button size="xs" variant="primary" busy={answer.isPending} onClick={() => give('ignore')}>
            Add it to .gitignore and save
          </Button>
        ) : null}
        <Button size="xs" busy={answer.isPending} onClick={() => give('write')}>
          Save it all the same
        </Button>
        <Button size="xs" variant="ghost" onClick={() => give('cancel')}>
          Do not save
        </Button>
      </span>
      {answer.error === null ? null : <FailureNote failure={failureOf(answer.error)} />}
    </Note>
  )
}
