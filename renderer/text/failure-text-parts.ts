import { formatDecimal } from '../../shared/decimal.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import { unreachable } from '../../shared/result.ts'
import { statesText } from './en/states.en.tsx'

interface Words {
  readonly title: string
  readonly meaning: string
  readonly remedy: string
}

const words = (title: string, meaning: string, remedy: string): Words => ({ title, meaning, remedy })

/** Patterns for network error codes, each with the sentence that explains the error. */
const reachCodes: readonly (readonly [RegExp, string])[] = [
  [/\bENOTFOUND\b/, statesText.hostUnknown],
  [/\bEAI_AGAIN\b/, statesText.hostLookupFailed],
  [/\bECONNREFUSED\b/, statesText.connectionRefused],
  [/\b(ECONNRESET|UND_ERR_SOCKET)\b/, statesText.connectionBroken],
  [/\b(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)\b/, statesText.hostTimeout],
  [/\b(ENETUNREACH|EHOSTUNREACH|ENETDOWN)\b/, statesText.noRoute],
]

function reachText(detail: string | null): string {
  if (detail === null) return statesText.hostUnreachable
  return reachCodes.find(([code]) => code.test(detail))?.[1] ?? (/[.!?]$/.test(detail) ? detail : `${detail}.`)
}

/** Why the app refused an address as an exchange. */
export function hostText(issue: Extract<Failure, { kind: 'host_refused' }>['issue'], detail: string | null): Words {
  switch (issue) {
    case 'not_a_url':
      return words(statesText.notAUrl, statesText.notAUrlMeaning, statesText.correctAndCheck)
    case 'needs_https':
      return words(statesText.needsHttps, statesText.needsHttpsMeaning, statesText.needsHttpsRemedy)
    case 'has_credentials':
      return words(statesText.hasCredentials, statesText.hasCredentialsMeaning, statesText.hasCredentialsRemedy)
    case 'has_path':
      return words(statesText.hasPath, statesText.hasPathMeaning, statesText.hasPathRemedy)
    case 'unreachable':
      return words(statesText.nothingAnswers, reachText(detail), statesText.nothingAnswersRemedy)
    case 'tls':
      return words(statesText.hostCertificate, statesText.hostCertificateMeaning, statesText.hostCertificateRemedy)
    case 'answers_html':
      return words(statesText.isWebsite, statesText.isWebsiteMeaning, statesText.isWebsiteRemedy)
    case 'redirects':
      return words(statesText.redirects, detail === null ? statesText.redirectsMeaning : statesText.redirectsToMeaning(detail), statesText.redirectsRemedy)
    case 'not_the_service':
      return words(statesText.otherService, statesText.otherServiceMeaning, statesText.isWebsiteRemedy)
    case 'duplicate':
      return words(
        statesText.duplicateHost,
        detail === null ? statesText.duplicateHostMeaning : statesText.duplicateHostProfile(detail),
        statesText.duplicateHostRemedy,
      )
    default:
      return unreachable(issue)
  }
}

export function practiceText(part: Extract<Failure, { kind: 'practice_failed' }>['part']): string {
  switch (part) {
    case 'chain':
      return statesText.practiceChain
    case 'exchange':
      return statesText.practiceExchange
    case 'relay':
      return statesText.practiceRelay
    case 'wallet':
      return statesText.practiceWallet
    case 'process':
      return statesText.practiceProcess
    default:
      return unreachable(part)
  }
}

/** Explains why the app got no readable response from the service. Used only for requests that change nothing. */
export function exchangeText(reason: Extract<Failure, { kind: 'unreachable' }>['reason'], status: number | null): Words {
  switch (reason) {
    case 'connect':
      return words(statesText.serviceUnreachable, statesText.serviceUnreachableMeaning, statesText.checkNetwork)
    case 'tls':
      return words(statesText.serviceCertificate, statesText.serviceCertificateMeaning, statesText.serviceCertificateRemedy)
    case 'timeout':
      return words(statesText.serviceTimeout, statesText.serviceTimeoutMeaning, statesText.tryInAMoment)
    case 'reset':
      return words(statesText.connectionLost, statesText.connectionLostMeaning, statesText.tryAgain)
    case 'redirect':
      return words(statesText.serviceRedirects, statesText.redirectsMeaning, statesText.serviceRedirectsRemedy)
    case 'html':
      return words(statesText.serviceWebPage, statesText.serviceWebPageMeaning(status), statesText.checkNetwork)
    case 'malformed':
      return words(statesText.unreadable, statesText.serviceMalformedMeaning(status), statesText.serviceMalformedRemedy)
    case 'too_large':
      return words(statesText.responseTooLarge, statesText.responseTooLargeMeaning, statesText.responseTooLargeRemedy)
    case 'server_error':
      return words(
        statesText.serviceTrouble,
        status === null ? statesText.servicePausedMeaning : statesText.serviceTroubleMeaning(status),
        statesText.tryInAMoment,
      )
    case 'closing':
      return words(statesText.appClosing, statesText.appClosingMeaning, statesText.appClosingRemedy)
    default:
      return unreachable(reason)
  }
}

export function keychainText(code: Extract<Failure, { kind: 'keychain' }>['code']): Words {
  switch (code) {
    case 'unavailable':
      return words(statesText.keychainMissing, statesText.keychainMissingMeaning, statesText.keychainMissingRemedy)
    case 'locked':
      return words(statesText.systemKeychainLocked, statesText.keychainLockedMeaning, statesText.keychainLockedRemedy)
    case 'timeout':
      return words(statesText.keychainTimeout, statesText.keychainTimeoutMeaning, statesText.keychainTimeoutRemedy)
    case 'invalid':
      return words(statesText.keychainInvalid, statesText.keychainInvalidMeaning, statesText.keychainInvalidRemedy)
    case 'failed':
      return words(statesText.keychainFailed, statesText.keychainFailedMeaning, statesText.keychainFailedRemedy)
    default:
      return unreachable(code)
  }
}

/** Why the app cannot write to the journal. */
export function journalText(issue: Extract<Failure, { kind: 'journal' }>['issue']): Words {
  switch (issue) {
    case 'disk_full':
      return words(statesText.diskFull, statesText.journalFullMeaning, statesText.freeSpace)
    case 'corrupt':
      return words(statesText.journalDamaged, statesText.journalDamagedMeaning, statesText.journalDamagedRemedy)
    case 'taken':
      return words(statesText.journalTaken, statesText.journalTakenMeaning, statesText.journalTakenRemedy)
    case 'newer':
      return words(statesText.journalNewer, statesText.journalNewerMeaning, statesText.journalNewerRemedy)
    case 'read_only':
      return words(statesText.journalUnwritable, statesText.journalUnwritableMeaning, statesText.journalUnwritableRemedy)
    default:
      return unreachable(issue)
  }
}

/** Which of the user's risk limits blocked an order. */
export function limitText({ rail, limit, asked }: Extract<Failure, { kind: 'guard_rail' }>): Words {
  const change = statesText.limitRemedy
  switch (rail) {
    case 'order_value':
      return asked === null
        ? words(statesText.sizeUnknown, statesText.sizeUnknownMeaning(usdc(limit)), statesText.sizeUnknownRemedy)
        : words(statesText.orderTooLarge, statesText.orderTooLargeMeaning(usdc(asked), usdc(limit)), change)
    case 'leverage':
      return asked === null
        ? words(statesText.leverageUnknown, statesText.leverageUnknownMeaning(limit), statesText.leverageUnknownRemedy)
        : words(statesText.leverageTooHigh, statesText.leverageTooHighMeaning(asked, limit), change)
    case 'daily_loss':
      return asked === null
        ? words(statesText.lossUnknown, statesText.lossUnknownMeaning(usdc(limit)), statesText.lossUnknownRemedy)
        : words(statesText.lossReached, statesText.lossReachedMeaning(usdc(asked), usdc(limit)), statesText.lossReachedRemedy)
    case 'market':
      return words(statesText.marketNotAllowed, statesText.marketNotAllowedMeaning(asked, limit === '' ? null : limit), statesText.marketNotAllowedRemedy)
    default:
      return unreachable(rail)
  }
}

const usdc = (amount: string): string => statesText.usdc(formatDecimal(amount))

const parsingWords: Readonly<Record<Extract<Failure, { kind: 'parsing' }>['issue'], string>> = {
  too_slow: statesText.parsingSlow,
  too_much_memory: statesText.parsingMemory,
  broken: statesText.parsingBroken,
  stopped: statesText.parsingStopped,
}
export const parsingText = (issue: keyof typeof parsingWords): string => parsingWords[issue]

/** Why the app could not read or write a file that the user chose. */
export function fileText(issue: Extract<Failure, { kind: 'file' }>['issue'], path: string): Words {
  const name = path.split(/[\\/]/).at(-1) ?? path
  switch (issue) {
    case 'missing':
      return words(statesText.folderMissing, statesText.folderMissingMeaning(path), statesText.choosePlace)
    case 'not_allowed':
      return words(statesText.fileNotAllowed, statesText.fileNotAllowedMeaning(path), statesText.choosePlace)
    case 'disk_full':
      return words(statesText.diskFull, statesText.fileDiskFullMeaning(name), statesText.freeSpace)
    case 'not_a_file':
      return words(statesText.notAFile, statesText.notAFileMeaning(path), statesText.notAFileRemedy)
    case 'not_text':
      return words(statesText.notText, statesText.notTextMeaning(name), statesText.chooseFile)
    case 'too_large':
      return words(statesText.fileTooLarge, statesText.fileTooLargeMeaning(name), statesText.chooseFile)
    case 'changed':
      return words(statesText.fileChanged, statesText.fileChangedMeaning(name), statesText.tryAgain)
    case 'failed':
      return words(statesText.fileFailed, statesText.fileFailedMeaning(path), statesText.fileFailedRemedy)
    default:
      return unreachable(issue)
  }
}

export function confirmationTitle(what: Extract<Failure, { kind: 'confirmation_required' }>['what']): string {
  switch (what) {
    case 'layout':
      return statesText.newMessageForm
    case 'router':
      return statesText.newContract
    case 'challenge_layout':
      return statesText.newSignInForm
    case 'transaction':
      return statesText.confirmTransaction
    default:
      return unreachable(what)
  }
}

export function expiredTitle(what: Extract<Failure, { kind: 'expired' }>['what']): string {
  switch (what) {
    case 'challenge':
      return statesText.signInTextExpired
    case 'grant':
      return statesText.theGrantExpired
    case 'intent':
      return statesText.orderExpired
    case 'signature':
      return statesText.signatureExpired
    case 'request':
      return statesText.requestExpired
    default:
      return unreachable(what)
  }
}

/** The dotted names of the missing fields; `null` if the response could not be read at all. */
export const missingFields = (missing: readonly string[]): string | null => {
  const named = missing.filter((name) => name !== '')
  return named.length === 0 ? null : named.slice(0, 4).join(', ')
}

/**
 * Explains what a lost response means and what to do, depending on the route. The app repeats prepare and execute with the same idempotency key, but
 * never repeats the relay call (Idempotency rules 3, 6).
 */
export function lostAnswerText(route: string | null): readonly [meaning: string, remedy: string] {
  if (route?.endsWith('/orders/prepare') === true) return [statesText.prepareLost, statesText.prepareLostRemedy]
  if (route?.endsWith('/orders/execute') === true) return [statesText.executeLost, statesText.lostRemedy]
  if (route?.endsWith('/actions/relay') === true) return [statesText.relayLost, statesText.lostRemedy]
  return [statesText.requestLost, statesText.lostRemedy]
}
