import { randomBytes, randomUUID } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { limits } from '../../shared/api/limits.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { eventWords } from '../../shared/text/delivery-text.ts'
import { answeredText } from '../../shared/text/receiver-test-text.ts'
import { type Clock, second } from '../../shared/time.ts'
import { eventGroups, isSent, sentEvents } from '../../shared/webhooks/events.ts'
import type { Folders } from '../host/app/folders.ts'
import { createAttempts, createLockFile, type LockFile } from '../host/lock/lock-file.ts'
import { createDeadline, sleep } from '../kernel/deadline.ts'
import { ExpectedFailure } from '../kernel/failures.ts'
import { Secret } from '../kernel/secret.ts'
import { canBeGiven, findProgram, type ProgramPlace } from '../keys/delivery/outlets/run-command.ts'
import { openJournal } from '../store/journal/tables/sqlite-journal.ts'
import { createProfileStore } from '../store/records/profile-store.ts'
import type { SecretStore } from '../store/secrets/secret-store.ts'
import { sendSample } from '../webhooks/receiver-test/driver.ts'
import type { ReceiverTestParts } from '../webhooks/receiver-test/receiver-test.ts'
import { shownUrl } from '../webhooks/receiver-test/target.ts'
import { createPost } from '../webhooks/subscriptions/post.ts'
import { type Allow, answerCommand, refused } from './answer-command.ts'
import { meant, type Typed } from './channel/choose.ts'
import { reachApp } from './channel/line.ts'
import { type Answered, type Asked, largestMessage } from './channel/messages.ts'
import {
  answerJson,
  exitCodes,
  fleetJson,
  fleetText,
  gatewayJson,
  gatewayText,
  keysText,
  plain,
  type Refusal,
  refusal,
  refusalOf,
  signInRefusal,
} from './channel/refusal.ts'
import { runChild, type SignalRelay } from './channel/run-child.ts'
import { type BackupCommandParts, backupCommand } from './commands/backup-command.ts'
import { type CheckParts, checkCommand } from './commands/check.ts'
import { type ListenLine, placeOf, type TriggerLine } from './commands/command-line.ts'
import { gatewayServer, newConfiguredToken } from './commands/gateway-config.ts'
import { listen } from './commands/listen.ts'
import { scanCommand } from './commands/scan-command.ts'
import { agreeTarget, ownSecret, type ReceiverParts, testReceiverCommand } from './commands/test-receiver.ts'
import { explained } from './completion.ts'
import { createTerminalProfiles } from './profile-access.ts'

export interface SvcDeskParts extends Omit<ReceiverParts, 'env'>, Pick<BackupCommandParts, 'tryKeys'> {
  readonly words: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  readonly platform: NodeJS.Platform
  readonly version: string
  /** The app's data folder. The command uses it if its arguments name no other folder. */
  readonly data: string
  /** Returns the paths of the files and folders inside a data folder. */
  readonly folders: (data: string) => Folders
  readonly secrets: SecretStore
  readonly ask: (question: string) => Promise<Typed>
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  readonly signals: SignalRelay
  readonly clock: Clock
}

/** How long a command waits for an app that is starting. Such an app already has its journals open but can't answer yet. */
const startingMs = 10 * second
const again = 200

export async function svcDesk(parts: SvcDeskParts): Promise<number> {
  const { words, env, folder, platform, version, stdout, stderr } = parts
  const say = (sentence: string) => stderr.write(`svc-desk: ${sentence}\n`)
  const said = explained(words, version)
  if (!('line' in said)) {
    stdout.write(said.stdout)
    stderr.write(said.stderr)
    return said.code
  }
  const { line } = said
  const refused = ({ exitCode, sentence }: { readonly exitCode: number; readonly sentence: string }) => {
    say(plain(sentence))
    return exitCode
  }

  if (line.action === 'events') {
    stdout.write(eventsText())
    return 0
  }
  if (line.action === 'trigger' || line.action === 'test-receiver') {
    const sending = { ...parts, sleep, post: createPost({ clock: parts.clock, startDeadline: createDeadline }), newId: () => `evt_sample_${randomUUID()}` }
    const ended = await (line.action === 'trigger' ? trigger(line, sending) : testReceiverCommand(line, sending))
    return typeof ended === 'number' ? ended : refused(ended)
  }

  if (line.action === 'backup' || line.action === 'restore') {
    const { folders, data, clock, ask } = parts
    const unlock = createTerminalLock({ file: createLockFile(folders(line.data ?? data).lock), ask, say, clock })
    const failure = await backupCommand(line, { ...parts, say, unlock })
    return failure === null ? 0 : refused(failure)
  }

  if (line.action === 'run') {
    if (!canBeGiven(line.words, platform)) return refused(refusal('cannotStart', 'Windows cannot pass the character U+10FFFF to a program. Leave it out.'))
    // Find the program before asking the app, so that the user never approves a command that cannot start.
    const program = await findCommand(line.words[0] ?? '', folder, { env, platform })
    if (!program.ok) return refused(program.failure)
    const answered = await answer(
      { type: 'run', profile: line.profile, key: line.key, webhook: line.webhook, words: [...line.words], program: program.value, folder },
      line.data,
      parts,
      say,
    )
    if (answered.type === 'refused') return refused(answered)
    if (answered.type !== 'run') return refused(misunderstood)
    const { apiKey, webhookSecret, baseUrl } = answered
    const secrets = {
      ...(apiKey !== null && { SVC_API_KEY: new Secret(apiKey) }),
      ...(webhookSecret !== null && { SVC_WEBHOOK_SECRET: new Secret(webhookSecret) }),
    }
    const { signals, clock } = parts
    return runChild({ program: program.value, words: line.words, secrets, baseUrl, env, stdout, stderr, signals, clock })
  }

  if (line.action === 'listen') {
    const signer = await signerOf(line, parts, say)
    if (!signer.ok) return refused(signer.failure)
    const place = placeOf(line, signer.value.webhookUrl)
    if (!place.ok) return refused(refusal('usage', place.failure))
    const failure = await listen(line, { ...parts, secret: signer.value.secret, place: place.value, say })
    return failure === null ? 0 : refused(failure)
  }

  if (line.action === 'scan') {
    const ask = () => answer({ type: 'fingerprints', profile: line.profile }, line.data, parts, say)
    const ended = await scanCommand(line, { ...parts, say, ask })
    return typeof ended === 'number' ? ended : refused(ended)
  }

  if (line.action === 'check') {
    const { profile, dryRuns, acceptTops, data } = line
    const ask: CheckParts['ask'] = (told, signal) => answer({ type: 'check', profile, dryRuns, acceptTops }, data, parts, say, told, signal)
    const ended = await checkCommand(line, { ...parts, ask })
    return typeof ended === 'number' ? ended : refused(ended)
  }

  if (line.action === 'gateway-server') {
    const failure = await gatewayServer(line.config, { ...parts, say })
    return failure === null ? 0 : refused(failure)
  }

  if (line.action === 'gateway-token') {
    const made = newConfiguredToken()
    stdout.write(`${made.token.reveal()}\n`)
    say(`Give the token to the bot now. Put this line into its [[bots]]: token = "${made.line}"`)
    return 0
  }

  if (line.action === 'gateway') {
    const answered = await answer({ type: 'gateway', profile: line.profile, does: line.does }, line.data, parts, say)
    if (answered.type === 'refused') return refused(answered)
    if (answered.type !== 'gateway') return refused(misunderstood)
    stdout.write(line.json ? gatewayJson(answered) : gatewayText(line.does.do, answered))
    if (answered.token !== null && !line.json) say('Copy the token now. It is not shown again.')
    return 0
  }

  if (line.action === 'fleet') {
    const answered = await answer({ type: 'fleet', profile: line.profile, does: line.does }, line.data, parts, say)
    if (answered.type === 'refused') return refused(answered)
    if (answered.type !== 'fleet') return refused(misunderstood)
    stdout.write(line.json ? fleetJson(answered) : fleetText(line.does.do, answered))
    return 0
  }

  const asked: Asked = line.action === 'list' ? { type: 'list', profile: line.profile } : { type: line.action, profile: line.profile, key: line.key }
  const answered = await answer(asked, line.data, parts, say)
  if (answered.type === 'refused') return refused(answered)
  if (answered.type !== 'list' && answered.type !== 'done') return refused(misunderstood)
  if (answered.type === 'list' && answered.why !== null) say(`The keys as this computer remembers them. ${plain(answered.why)}`)
  stdout.write(line.json ? answerJson(answered) : answered.type === 'list' ? keysText(answered.keys) : doneText(answered))
  return 0
}

interface Signer {
  readonly secret: Secret
  /** The URL of the webhook that uses the secret; null if unknown. */
  readonly webhookUrl: string | null
}

/** Reads the signing secret from the named variable. If no variable is named, gets the secret from Svc Desk, which asks the user. */
async function signerOf({ secret, profile, data }: ListenLine, parts: SvcDeskParts, say: (sentence: string) => void): Promise<Result<Signer, Refusal>> {
  const { env, words, folder } = parts
  if ('variable' in secret) {
    const own = ownSecret(secret.variable, env)
    return own.ok ? ok({ secret: own.value, webhookUrl: null }) : own
  }
  const command = { words: ['svc-desk', ...words], program: process.execPath, folder }
  const answered = await answer({ type: 'listen', profile, webhook: secret.webhook, ...command }, data, parts, say)
  if (answered.type === 'refused') return fail(answered)
  if (answered.type !== 'run' || answered.webhookSecret === null) return fail(misunderstood)
  return ok({ secret: new Secret(answered.webhookSecret), webhookUrl: answered.webhookUrl })
}

/** Asks the app if the app is open. Otherwise answers from this computer's files. */
async function answer(
  asked: Asked,
  data: string | null,
  parts: SvcDeskParts,
  say: (sentence: string) => void,
  told: (what: Answered) => void = () => undefined,
  signal?: AbortSignal,
): Promise<Answered> {
  const { clock, folders, secrets, ask } = parts
  const folder = data ?? parts.data
  const files = folders(folder)
  const unlock = createTerminalLock({ file: createLockFile(files.lock), ask, say, clock })
  if (JSON.stringify(asked).length > largestMessage)
    return { type: 'refused', ...refusal('usage', 'The command line is too long. Shorten the arguments of the program.') }
  const until = clock.monotonic() + startingMs
  let waits = false
  for (;;) {
    const app = await reachApp(folder)
    if (app.state === 'not_ours') return { type: 'refused', ...refusal('unavailable', 'Svc Desk runs in another version. Restart it, then try again.') }
    if (app.state === 'open') {
      signal?.addEventListener('abort', app.close, { once: true })
      if (signal?.aborted === true) app.close()
      const answered = await app.ask(asked, (what) => (what.type === 'waiting' ? say(what.sentence) : told(what)))
      app.close()
      return answered ?? { type: 'refused', ...refusal('later', 'Svc Desk closed before it answered. Open it to see what happened.') }
    }
    const answered = await answerWithoutApp(asked, { folders: files, secrets, clock, unlock })
    if (answered !== null) return answered
    if (clock.monotonic() > until) return { type: 'refused', ...refusal('later', 'Svc Desk is open but does not answer. Try again in a moment.') }
    if (!waits) say('Svc Desk is starting. Waiting for it.')
    waits = true
    await sleep(again)
  }
}

const misunderstood = refusal('internal', 'Svc Desk sent an unexpected answer. Restart it, then try again.')

const doneText = ({ action, key }: Extract<Answered, { type: 'done' }>): string =>
  action === 'rotate'
    ? `${plain(key.label)} has a new secret. The old secret stopped working. The new one is ${key.here ? 'in the system keychain' : 'not in the system keychain: open Svc Desk'}.\n`
    : `${plain(key.label)} is revoked.\n`

/** The file that a shell would start for this word, with links resolved. */
async function findCommand(word: string, folder: string, place: ProgramPlace): Promise<Result<string, Refusal>> {
  if (!/[\\/]/.test(word) || (place.platform !== 'win32' && !word.includes('/'))) {
    const found = await findProgram(word, place)
    return found === null ? fail(refusal('notFound', `There is no program ${word}. Check its name and PATH.`)) : ok(found)
  }
  const file = resolve(folder, word)
  const about = await stat(file).catch(() => null)
  if (about === null) return fail(refusal('notFound', `There is no file ${word}. Check its path.`))
  const startable =
    about.isFile() &&
    (await access(file, constants.X_OK).then(
      () => true,
      () => false,
    ))
  return startable ? ok(await realpath(file)) : fail(refusal('cannotStart', `${word} cannot be started. Name an executable file.`))
}

/** The output of `svc-desk trigger --list`: each event's name, and when the service sends the event. */
function eventsText(): string {
  const width = Math.max(...sentEvents.map((name) => name.length))
  const rows = eventGroups.flatMap(({ events }) => events).filter(({ name }) => isSent(name))
  return rows.map(({ name, remark }) => `${name.padEnd(width)}  ${eventWords[name]}${remark === null ? '' : ` (${eventWords[remark]})`}\n`).join('')
}

interface TriggerParts extends ReceiverParts, Omit<ReceiverTestParts, 'sleep'> {
  readonly stdout: Writable
}

const notTaken = `: not accepted, since a receiver must answer 2xx within ${limits.webhookDelivery.answerMs / second} s`

/** Sends one signed sample event once. Returns the exit code: 0 if a 2xx answer came in time. */
async function trigger(line: TriggerLine, parts: TriggerParts): Promise<number | Refusal> {
  const { post, clock, newId, stdout } = parts
  const { event: type } = line
  if (!isSent(type)) return refusal('usage', `Unknown event ${type}.${meant(type, sentEvents)} Run \`svc-desk trigger --list\`.`)
  const agreed = await agreeTarget(line, parts)
  if (!agreed.ok) return agreed.failure
  const { target, secret } = agreed.value
  const { id, answered } = await sendSample(type, { url: target.url, secret, post, clock, newId })
  const { outcome, status, ms } = answered
  const isTaken = status !== null && status >= 200 && status < 300
  const text = answeredText(answered)
  const shown = { event: type, id, url: shownUrl(target.url), taken: isTaken, outcome, status, ms, answer: text }
  stdout.write(line.json ? `${JSON.stringify(shown, null, 2)}\n` : `${type} ${id}\n${text}, after ${ms} ms${isTaken || status === null ? '' : notTaken}\n`)
  return isTaken ? 0 : exitCodes.notTaken
}

interface LockedDeps {
  readonly file: LockFile
  readonly ask: (question: string) => Promise<Typed>
  readonly say: (sentence: string) => void
  readonly clock: Clock
}

/** How many times at most one run of `svc-desk` asks for the passphrase. */
const questions = 3

/**
 * Enforces the app's lock while the app is closed: asks for the passphrase on the terminal.
 * Counts wrong passphrases in the app's own file, so the app's delay after them also applies here. After the right passphrase, this run stays
 * unlocked.
 */
function createTerminalLock({ file, ask, say, clock }: LockedDeps): () => Promise<Result<void, Refusal>> {
  let opened = false
  return async () => {
    const record = opened ? null : file.read()
    if (record === null) return ok(undefined)
    if (record === 'damaged')
      return fail(refusal('unavailable', 'The lock file of Svc Desk is damaged, so no passphrase opens it. Open Svc Desk to see what to do.'))
    const attempts = createAttempts({ file, hash: record.hash, tries: record.tries, clock })
    for (let question = 1; question <= questions; question += 1) {
      if (attempts.waitMs() > 0) return fail(tooSoon(attempts.waitMs()))
      const typed = await ask('Passphrase of Svc Desk: ')
      if (typed === 'no_terminal') return fail(nobodyToAsk)
      if (typed === 'stopped') return fail(refusal('denied', 'You gave no passphrase. Nothing was done.'))
      const attempt = await attempts.attempt(typed.typed)
      if (attempt.outcome === 'done') {
        opened = true
        return ok(undefined)
      }
      if (attempt.outcome === 'too_soon') return fail(tooSoon(attempt.waitMs))
      if (question < questions) say('Wrong passphrase. Try again.')
    }
    return fail(refusal('denied', 'Wrong passphrase. Nothing was done.'))
  }
}

const nobodyToAsk = refusal('later', 'Svc Desk has a lock, and there is no terminal to ask for the passphrase. Unlock Svc Desk, then try again.')

const tooSoon = (waitMs: number): Refusal => refusal('later', `Too many wrong passphrases. Try again in ${Math.ceil(waitMs / 1_000)} s.`)

interface WithoutAppDeps {
  readonly folders: Pick<Folders, 'appJournal' | 'profileJournal'>
  /** The keychain with the secrets of all live profiles. */
  readonly secrets: SecretStore
  readonly clock: Clock
  /** Asks for the passphrase if the user has set up the app's lock. */
  readonly unlock: () => Promise<Result<void, Refusal>>
}

/**
 * While the app is closed, commands get secrets without the user's consent: a program that can run commands as this user can read the keychain
 * anyway. Commands that change keys are refused.
 */
const allow: Allow = async (kind) =>
  kind === 'run' || kind === 'listen' ? ok(undefined) : fail(signInRefusal('You must be signed in with your wallet. Open Svc Desk, then try again.'))

/** Answers from the journals and the keychain while the app is closed. null if the app has started in the meantime and uses the journals. */
async function answerWithoutApp(asked: Asked, { folders, secrets, clock, unlock }: WithoutAppDeps): Promise<Answered | null> {
  if (!existsSync(folders.appJournal)) return refused(refusal('missing', 'There is no profile on this computer yet. Start Svc Desk first.'))
  try {
    // Read the journal before asking for the passphrase. If the app has started, the journal is in use, and the command asks the app instead.
    const stored = readProfiles(folders.appJournal, clock)
    const opened = await unlock()
    if (!opened.ok) return refused(opened.failure)
    const profiles = createTerminalProfiles({
      store: stored,
      workspace: async () => null,
      journalFile: folders.profileJournal,
      secrets,
      clock,
      newId: () => randomBytes(16).toString('hex'),
      // `unlock` has just succeeded for this command: the user entered the passphrase, or has set up no lock.
      unlocked: () => true,
    })
    return await answerCommand(asked, { profiles, allow, clock, tell: { said: () => undefined, gone: new AbortController().signal } })
  } catch (error) {
    if (!(error instanceof ExpectedFailure)) throw error
    const { failure } = error
    return failure.kind === 'journal' && failure.issue === 'taken' ? null : refused(refusalOf(failure))
  }
}

/** Reads the current profiles and closes the journal at once, because the app may need it next. */
function readProfiles(file: string, clock: Clock) {
  const journal = openJournal({ file, clock })
  try {
    const store = createProfileStore(journal.records)
    const [list, activeId] = [store.list(), store.activeId()]
    return { list: () => list, activeId: () => activeId }
  } finally {
    journal.close()
  }
}
