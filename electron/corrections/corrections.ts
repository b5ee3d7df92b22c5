import type { Failure } from '../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { type Corrections, readCorrections } from '../../shared/ticket/corrections.ts'
import { readChosenText } from '../app/chosen-text.ts'
import type { FileDialogs } from '../app/file-dialogs.ts'
import { createSaveText } from '../app/save-text.ts'
import type { Handlers } from '../ipc/handlers.ts'
import type { Values } from '../journal/journal.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'

export interface CorrectionBook {
  /** As they stand now. */
  current(): Corrections
  readonly handlers: Handlers<'corrections.get' | 'corrections.save' | 'corrections.export' | 'corrections.import'>
}

export interface CorrectionParts {
  readonly profile: ProfileFacts
  readonly values: Values
  readonly files: Pick<FileDialogs, 'chooseToOpen' | 'chooseToSave'>
}

const kinds = [{ name: 'JSON', extensions: ['json'] }]
const refused = (issue: string) => fail<Failure>({ kind: 'bad_input', field: 'corrections', issue })

/** The service's own names for fields whose names are assumed: per profile, on this computer, and in files of the user. */
export function createCorrections({ profile, values, files }: CorrectionParts): CorrectionBook {
  const name = `corrections/${profile.id}`
  const saveText = createSaveText(files)

  const current = (): Corrections => {
    const text = values.get(name)
    const read = text === null ? null : readCorrections(JSON.parse(text))
    // Written by another version: the assumed names are as good as any.
    return read?.ok === true ? read.value : {}
  }
  const save = (value: unknown): Result<Corrections, Failure> => {
    const read = readCorrections(value)
    if (!read.ok) return refused(read.failure)
    values.set(name, JSON.stringify(read.value))
    return ok(read.value)
  }

  return {
    current,
    handlers: {
      'corrections.get': () => ok(current()),
      'corrections.save': (value) => save(value),
      'corrections.export': async () => {
        const saved = await saveText({ title: 'Save the names of fields', button: 'Save', kinds, suggested: 'payload-names.json' }, () =>
          JSON.stringify(current(), null, 2),
        )
        return saved.ok ? ok({ path: saved.value }) : saved
      },
      'corrections.import': async () => {
        const path = await files.chooseToOpen({ title: 'Read the names of fields', button: 'Read', kinds })
        if (path === null) return ok({ path })
        const text = await readChosenText(path)
        if (!text.ok) return text
        const value = parsed(text.value)
        if (value === undefined) return refused('The file holds no JSON.')
        const saved = save(value)
        return saved.ok ? ok({ path }) : saved
      },
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
