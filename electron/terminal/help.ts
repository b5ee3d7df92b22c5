/** What `svc-desk COMMAND --help` tells of. */
export const helpTopics = ['run', 'listen', 'keys', 'check', 'trigger', 'test-receiver'] as const
export type HelpTopic = (typeof helpTopics)[number]

const run = `  svc-desk run [--profile P] --key NAME [--webhook URL] -- COMMAND [ARGUMENTS]
      Starts COMMAND with SVC_API_KEY and SVC_BASE_URL in its environment. The key
      stands in no argument and no file, and is masked where COMMAND prints it.

  svc-desk run [--profile P] --webhook URL -- COMMAND [ARGUMENTS]
      The same with SVC_WEBHOOK_SECRET, which the webhook's deliveries are signed
      with. URL is where they go, or the webhook's id.`

const listen = `  svc-desk listen [--webhook URL [--profile P] | --secret-env NAME]
                  [--forward URL] [--port N] [--answer A] [--delay S] [--json]
      Receives deliveries at http://127.0.0.1:4807/deliveries, or on port N, or where
      a webhook of practice points to. Says of each whether it is verified, and hands
      those that are on to your endpoint on this computer, such as localhost:3000/hook.
      The signing secret is that of the webhook that goes to URL or has that id;
      without one that of your only webhook, or the only one that goes to this
      computer. Or NAME is a variable that holds it. What is verified is answered 200
      at once, or after S seconds, or as A says: a status, or endpoint for what your
      endpoint answers, so that its failures are sent again; what is not, 401. The
      number of an event and Enter send it again, signed anew; Ctrl-C ends it.
      --json: one object a line.`

const keys = `  svc-desk keys list [--profile P] [--json]
  svc-desk keys rotate NAME [--profile P] [--json]
  svc-desk keys revoke NAME [--profile P] [--json]`

const check = `  svc-desk check [--profile P] [--dry-runs] [--accept-top] [--json]
      Reads every route that your keys allow, previews an order and prepares each
      action, and says what of the answers Svc Desk understands: which fields are
      missing, where they may stand, and what is unknown. Nothing is signed, sent or
      carried out. --dry-runs: has the service validate delegated actions too, which
      trusts it not to act; the first one cancels an order that does not exist.
      --accept-top: reads each missing field from its first candidate from now on,
      and reads everything again. --json: the report, without secrets. Ctrl-C ends it
      with what was read by then. Exits with 0 where all that answered is read, with
      1 where something is read partly or not. Svc Desk has to be open.`

const names = `  NAME is a key's label or id. P is a profile's name or id; without it the one
  that is open in Svc Desk, or was last.`

const trigger = `  svc-desk trigger EVENT --to URL [--secret-env NAME] [--json]
      Sends one signed sample event to your receiver of webhooks, and says what it
      answered and in how many ms. trigger --list names the events.`

const testReceiver = `  svc-desk test-receiver --to URL [--secret-env NAME] [--effects URL]
                         [--report FILE]
      Drives your receiver through what the service's document promises and
      threatens, with a line for each check. FILE ends in .json or .md. At the
      URL of --effects your receiver answers {"events": [ids]}, the ids of the
      events that it acted on; without it two checks stay unknown.
      Ctrl-C ends it with what was found by then.`

const variable = `  The variable NAME holds the secret to sign with. Without it one is made and
  shown on the terminal, for you to give to your receiver. To another computer
  than this one events go once you have typed its name. Svc Desk may be closed.`

const asks = `  While Svc Desk is open it asks you there before a key is given or changed,
  and before a check. With
  Svc Desk closed, run, listen and keys list read the system keychain themselves,
  after the passphrase where Svc Desk has a lock; what needs the sign-in of your
  wallet needs the app.`

const options = `  --data DIR   the app's data folder, where it is not the usual one
  --help, --version`

const exitCodes = `Exit codes: the command's own, 128 + n where signal n ended it, or
    1 the receiver failed, or the service is not wholly read
   64 wrong usage              75 nobody answered, or try again
   66 no such profile or key   77 denied, or a wrong passphrase
   69 keychain, service or     78 sign in with your wallet
      profile not available       in Svc Desk first
   70 a fault of Svc Desk     126 the command cannot be started
   74 the answer was lost     127 there is no such command`

const mask = `The command has no terminal of its own: its output passes through the mask. Other
programs of yours can read the environment of a process that runs.`

const parts: Readonly<Record<HelpTopic, readonly string[]>> = {
  run: [run, names, asks, options, exitCodes, mask],
  listen: [listen, asks, options, exitCodes],
  keys: [keys, names, asks, options, exitCodes],
  check: [check, asks, options, exitCodes],
  trigger: [trigger, variable, options, exitCodes],
  'test-receiver': [testReceiver, variable, options, exitCodes],
}
const title = 'svc-desk: keys of Svc Desk for commands, without showing them, events for\nreceivers of webhooks, and a check of the service'
const all = [title, run, listen, keys, names, check, trigger, testReceiver, variable, asks, options, exitCodes, mask]

/** `svc-desk --help`, or of one command. */
export const help = (of: HelpTopic | null): string => `${(of === null ? all : parts[of]).join('\n\n')}\n`
