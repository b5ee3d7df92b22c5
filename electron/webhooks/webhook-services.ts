import type { Failure, InputIssue } from '../../shared/ipc/failure.ts'
import type { Attention } from '../../shared/ipc/host/app.ts'
import type { ReceiverReport, ReceiverTestCheck, ReceiverTestRun, ReceiverTestSetup } from '../../shared/ipc/webhooks/receiver-test.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { reportJson, reportMarkdown } from '../../shared/text/receiver-test-text.ts'
import { createDeadline, sleep } from '../kernel/deadline.ts'
import type { Emit } from '../kernel/events.ts'
import { dialogWords, fileKind, throwawayLabel } from '../kernel/files/dialog-words.ts'
import type { SaveText } from '../kernel/files/write-private.ts'
import type { HandlersOf } from '../kernel/handlers.ts'
import type { Secret } from '../kernel/secret.ts'
import type { SecretOutlets } from '../keys/delivery/secret-handlers.ts'
import type { ServiceClock } from '../service/api/vital-signs.ts'
import type { Vault } from '../store/journal/journal.ts'
import { createSealedRecord } from '../store/records/kept-record.ts'
import type { StoredSecrets } from '../store/secrets/stored-secrets.ts'
import { createGapCheck, type GapCheckDeps } from './gaps/gap-check.ts'
import { createLabService, type LabService } from './lab/lab-service.ts'
import { sendSample } from './receiver-test/driver.ts'
import { plannedChecks, type ReceiverTestParts, testReceiver } from './receiver-test/receiver-test.ts'
import { effectsAt, isConfirmed, isOnHostOf, readTarget, shownUrl, type Target, throwawaySecret } from './receiver-test/target.ts'
import { createPost } from './subscriptions/post.ts'
import { createWebhookAccess, type LookUp, type WebhookAccess } from './subscriptions/webhook-parts.ts'
import { createWebhooks, type Webhooks, type WebhooksDeps } from './webhooks.ts'

export interface WebhookServicesDeps
  extends WebhooksDeps,
    Pick<ReceiverTestDeps, 'log'>,
    Pick<GapCheckDeps, 'markets' | 'reader' | 'freshRepositories' | 'lookAgain' | 'saveText'> {
  readonly vault: Vault
  readonly outlets: Pick<SecretOutlets, 'reveal' | 'unlocked'>
  readonly clock: ServiceClock
}

export interface WebhookServices {
  readonly holdSecret: Webhooks['holdSecret']
  /** Access to the signing secrets, for `svc-desk`. */
  readonly access: WebhookAccess
  attention: Webhooks['attention']
  /** The wallet's webhooks whose deliveries fail, as items for the attention list. */
  failing(wallet: string): Attention[]
  recover: Webhooks['recover']
  watch: Webhooks['watch']
  /** Frees the lab's port and stops all requests to receivers. */
  stop(): void
  /** Resolves when the lab's port is free and no request to a receiver is running. */
  settled(): Promise<void>
  readonly handlers: Webhooks['handlers'] & LabService['handlers'] & ReceiverTests['handlers'] & ReturnType<typeof createGapCheck>
}

/** Webhook subscriptions, the lab that receives deliveries, the receiver test, and the check for missing events. */
export function createWebhookServices(deps: WebhookServicesDeps): WebhookServices {
  const { profile, stored, clock, newId, outlets } = deps
  const profileId = profile.id
  const webhooks = createWebhooks(deps)
  const access = createWebhookAccess(stored)
  const lab = createLabService({ ...deps, access, profileId })
  const receiverTests = createReceiverTests({
    ...deps,
    post: createPost({ clock, startDeadline: createDeadline }),
    sleep,
    newId: () => `evt_sample_${newId()}`,
    reveal: outlets.reveal,
    profileId,
  })
  const gaps = createGapCheck({ ...deps, webhooks: async () => webhooks.handlers['webhooks.list']({}), lab: lab.labRecord })
  const refused = (wallet: string): Attention[] => {
    const failing = lab.failing()
    if (failing === null || !stored.entries().some((entry) => entry.keyId === failing.webhookId && entry.wallet === wallet)) return []
    const { webhookId, url, count } = failing
    const fixed = { kind: 'webhook_failing', severity: 'warn', why: 'deliveries', to: '/webhooks/lab', untilMs: null } as const
    return [{ ...fixed, id: `webhook-refuses:${webhookId}`, label: url, count, atMs: clock.now() }]
  }
  return {
    holdSecret: webhooks.holdSecret,
    access,
    attention: webhooks.attention,
    failing: (wallet) => [...webhooks.stopped(wallet), ...refused(wallet)],
    recover: webhooks.recover,
    watch: webhooks.watch,
    stop: () => {
      lab.stop()
      receiverTests.stop()
    },
    settled: async () => {
      await lab.settled()
      await receiverTests.settled()
    },
    handlers: { ...webhooks.handlers, ...lab.handlers, ...receiverTests.handlers, ...gaps },
  }
}

export interface ReceiverTestDeps extends ReceiverTestParts {
  readonly stored: Pick<StoredSecrets, 'secretOf'>
  readonly lookUp: LookUp
  /** Copies the secret to the clipboard. Returns when the clipboard is cleared, as Unix ms. */
  readonly copySecret: (secret: Secret) => Promise<number>
  readonly reveal: SecretOutlets['reveal']
  readonly saveText: SaveText
  /** Stores the last report, so that the next run of the app can show it. */
  readonly vault: Vault
  readonly profileId: string
  readonly emit: Emit
  /** Writes to the app's own log. */
  readonly log: (event: string, facts: Readonly<Record<string, unknown>>) => void
}

interface ReceiverTests {
  readonly handlers: HandlersOf<'receiverTest'>
  /** Ends the running receiver test. From then on, no test can start. */
  stop(): void
  /** Resolves when no request to a receiver is running. */
  settled(): Promise<void>
}

interface Test {
  readonly setup: ReceiverTestSetup
  readonly startedAtMs: number
  readonly checks: ReceiverTestCheck[]
  readonly stop: AbortController
  /** True if the test ran in an earlier run of the app. */
  readonly earlier: boolean
  report: ReceiverReport | null
}

type Asked = ReceiverTestSetup & { readonly confirmHost: string | null }

const busy = { kind: 'wrong_state', state: 'test_running', wanted: 'no_test_running' } as const

/**
 * The receiver tests of one profile. Runs one test at a time, notifies the windows when each check ends, and stores the last report.
 * A secret leaves this process only through the outlets for secrets (clipboard, screen, file).
 */
export function createReceiverTests(deps: ReceiverTestDeps): ReceiverTests {
  const { stored, lookUp, copySecret, reveal, saveText, vault, profileId, emit, log, clock } = deps
  const kept = createSealedRecord(vault.receiverTests, { profile: profileId })
  let throwaway: Secret | null = null
  let test: Test | null = null
  let isBusy = false
  let isOver = false
  let hasBegun = false
  let running: Promise<void> = Promise.resolve()
  let keeping: Promise<void> = Promise.resolve()
  const samples = new AbortController()
  let sending: Promise<unknown> = Promise.resolve()
  const testSecret = (): Secret => {
    throwaway ??= throwawaySecret()
    return throwaway
  }
  const changed = () => emit({ type: 'invalidate', queries: ['receiverTest.state'] })

  /** Returns the last test. Until a test starts in this run of the app, that is the last test of an earlier run. */
  const last = async (): Promise<Test | null> => {
    if (test !== null || hasBegun) return test
    const found = await kept.read()
    if (found !== null && !hasBegun) {
      const { setup, report } = found
      test ??= { setup, startedAtMs: report.startedAtMs, checks: [...report.checks], stop: new AbortController(), earlier: true, report }
    }
    return test
  }

  const secretFor = async (signWith: ReceiverTestSetup['signWith']): Promise<Result<Secret, Failure>> => {
    if (signWith.kind === 'throwaway') return ok(testSecret())
    const kept = await stored.secretOf(signWith.webhookId)
    if (!kept.ok) return kept
    return kept.value === null ? fail({ kind: 'not_found', what: 'secret' }) : ok(kept.value)
  }

  const wrong = (field: string, issue: InputIssue) => fail<Failure>({ kind: 'bad_input', field, issue })
  /** Checks the target's URL and the user's confirmation. Returns the target, and the secret with which to sign. */
  const agree = async ({ url, effectsUrl, signWith, confirmHost }: Asked): Promise<Result<{ readonly target: Target; readonly secret: Secret }, Failure>> => {
    const target = await readTarget(url, lookUp)
    if (!target.ok) return wrong('url', target.failure)
    if (effectsUrl !== null && !isOnHostOf(effectsUrl, url)) return wrong('effectsUrl', otherHost)
    if (!isConfirmed(target.value, confirmHost)) return wrong('confirmHost', `type_host ${target.value.confirm}`)
    const secret = await secretFor(signWith)
    if (!secret.ok) return secret
    return isOver ? fail({ kind: 'no_profile' }) : ok({ target: target.value, secret: secret.value })
  }

  const begin = async (asked: Asked): Promise<Result<Record<never, never>, Failure>> => {
    const agreed = await agree(asked)
    if (!agreed.ok) return agreed
    const { confirmHost, ...setup } = asked
    const { effectsUrl, signWith } = setup
    const mine: Test = { setup, startedAtMs: clock.now(), checks: [], stop: new AbortController(), earlier: false, report: null }
    test = mine
    hasBegun = true
    running = run(mine, {
      ...{ ...agreed.value, confirmHost, throwaway: signWith.kind === 'throwaway' },
      effects: effectsUrl === null ? null : effectsAt(effectsUrl),
    })
    return ok({})
  }

  const run = async (mine: Test, request: Omit<Parameters<typeof testReceiver>[1], 'signal' | 'onCheck'>): Promise<void> => {
    const onCheck = (check: ReceiverTestCheck) => {
      mine.checks.push(check)
      changed()
    }
    try {
      const report = await testReceiver(deps, { ...request, signal: mine.stop.signal, onCheck })
      mine.report = report
      if (report !== null) keeping = kept.keep({ setup: mine.setup, report: { ...report, checks: copied(report.checks) } })
    } catch (error) {
      log('receiver test', { error: error instanceof Error ? error.message : String(error) })
      test = null
      emit({ type: 'notice', severity: 'danger', notice: { code: 'receiver_test_broke' }, to: null })
    }
    isBusy = false
    changed()
  }

  return {
    handlers: {
      'receiverTest.state': async () => {
        const shown = await last()
        return ok({ throwaway: throwaway !== null, setup: shown?.setup ?? null, run: shown === null ? null : runOf(shown) })
      },
      'receiverTest.target': async ({ url, effectsUrl }) => {
        const target = await readTarget(url, lookUp)
        if (!target.ok) return ok({ kind: 'refused', issue: target.failure })
        return ok({ kind: 'read', confirm: target.value.confirm, effectsIssue: effectsUrl === null || isOnHostOf(effectsUrl, url) ? null : otherHost })
      },
      'receiverTest.makeThrowaway': () => {
        throwaway = throwawaySecret()
        return ok({})
      },
      'receiverTest.copyThrowaway': async () => ok({ clearsAtMs: await copySecret(testSecret()) }),
      'receiverTest.revealThrowaway': () => ok({ closesAtMs: clock.now() + reveal(throwawayLabel(), testSecret()).closesInMs }),
      'receiverTest.sendSample': async ({ type, ...asked }) => {
        const agreed = await agree({ ...asked, effectsUrl: null })
        if (!agreed.ok) return agreed
        const sent = sendSample(type, { ...deps, url: agreed.value.target.url, secret: agreed.value.secret, signal: samples.signal })
        sending = Promise.allSettled([sending, sent])
        return ok((await sent).answered)
      },
      'receiverTest.start': async (asked) => {
        if (isBusy) return fail(busy)
        isBusy = true
        let begun = false
        try {
          const answer = await begin(asked)
          begun = answer.ok
          return answer
        } finally {
          if (!begun) isBusy = false
        }
      },
      'receiverTest.stop': async () => {
        test?.stop.abort()
        await running
        return ok({})
      },
      'receiverTest.saveReport': async ({ format }) => {
        const report = (await last())?.report ?? null
        if (report === null) return fail({ kind: 'not_found', what: 'report' })
        const [extension, write] = format === 'json' ? (['json', reportJson] as const) : (['md', reportMarkdown] as const)
        const suggested = `svc-desk-receiver-test-${new Date(report.endedAtMs).toISOString().slice(0, 10)}.${extension}`
        const saved = await saveText({ ...dialogWords('saveReport'), kinds: [fileKind(extension)], suggested }, () => write(report))
        return saved.ok ? ok({ path: saved.value }) : saved
      },
    },
    stop: () => {
      isOver = true
      test?.stop.abort()
      samples.abort()
    },
    settled: async () => {
      await sending
      await running
      await keeping
    },
  }
}

const otherHost = 'other_host'

const copied = (checks: readonly ReceiverTestCheck[]) => checks.map((check) => ({ ...check, exchanges: [...check.exchanges] }))

function runOf({ setup, startedAtMs, checks, earlier, report }: Test): ReceiverTestRun {
  return {
    url: shownUrl(setup.url.trim()),
    startedAtMs,
    endedAtMs: report?.endedAtMs ?? null,
    verdict: report?.verdict ?? null,
    earlier,
    // Use the report's own list of checks: another version of the app may have made the report, with other checks.
    planned: report === null ? [...plannedChecks] : report.checks.map(({ id }) => id),
    checks: copied(checks),
  }
}
