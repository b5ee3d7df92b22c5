import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import { Button } from '../../../kit/button.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { sheetPlace } from '../sheet-place.ts'
import { wantsUser } from './replacement-track.ts'
import { progressWords } from './replacement-words.ts'

/** Replacements that are due, under way or stuck, each with the way back to it. */
export function ReplacementNotes({ replacements }: { readonly replacements: readonly Replacement[] }) {
  const navigate = useNavigate()
  return replacements.filter(wantsUser).map((replacement) => {
    const { title, text } = progressWords(replacement)
    return (
      <Note
        key={replacement.id}
        tone={replacement.now.state === 'stuck' ? 'warn' : 'accent'}
        icon={replacement.now.state === 'stuck' ? 'warn' : 'swap'}
        title={title}
        end={
          <Button size="xs" onClick={() => navigate(sheetPlace(replacement.oldKey.id, 'replace', 'list'))}>
            Go on
          </Button>
        }
      >
        {text}
      </Note>
    )
  })
}
