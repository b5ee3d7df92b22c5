import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fail, ok, type Result } from '../../shared/result.ts'
import { findProgram, type ProgramPlace } from '../keys/delivery/outlets/find-program.ts'
import { type Refusal, refusal } from './channel/refusal.ts'

/** The file that a shell would start for this word, links resolved. */
export async function findCommand(word: string, folder: string, place: ProgramPlace): Promise<Result<string, Refusal>> {
  if (!/[\\/]/.test(word) || (place.platform !== 'win32' && !word.includes('/'))) {
    const found = await findProgram(word, place)
    return found === null ? fail(refusal('notFound', `${word}: there is no such command.`)) : ok(found)
  }
  const file = resolve(folder, word)
  const about = await stat(file).catch(() => null)
  if (about === null) return fail(refusal('notFound', `${word}: there is no such file.`))
  const startable =
    about.isFile() &&
    (await access(file, constants.X_OK).then(
      () => true,
      () => false,
    ))
  return startable ? ok(await realpath(file)) : fail(refusal('cannotStart', `${word}: this cannot be started.`))
}
