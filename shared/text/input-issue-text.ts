import type { InputIssue, InputIssueFact, PlainInputIssue } from '../ipc/failure.ts'

const plain: Readonly<Record<PlainInputIssue, string>> = {
  above_zero: 'Give a number above zero.',
  not_a_number: 'not a number',
  not_json: 'not JSON',
  not_a_tx_hash: 'not a transaction hash',
  market_needed: 'Choose one market at least',
  named_twice: 'named twice',
  not_an_id: 'Not an id that this page takes.',
  not_a_url: 'This is not a URL.',
  rpc_https: 'An RPC address begins with https://.',
  other_host_checked: 'This is not the host that was checked.',
  practice_host_only: 'Practice reads by its own second host only.',
  other_profile_name: 'This is not the name of the profile.',
  passphrase_needed: 'the present passphrase is needed',
  not_an_address: 'not an address',
  not_a_reading_method: 'not one of the reading methods',
  address_form: 'An address is 0x and 40 hexadecimal digits.',
  address_checksum: 'The checksum of this address does not fit: a letter or digit is wrong.',
  name_taken: 'Another wallet has this name already.',
  drifted_again: 'What the service publishes has changed again. Look once more.',
  key_needed: 'name the key',
  webhook_needed: 'name the webhook',
  every_stands_alone: '* must be the only entry',
  not_found_there: 'not one of those found',
  no_candidate: 'not one of the candidates',
  other_intent: 'This intent does something else',
  scopes_unknown: 'the service does not say what this key may do',
  foreign_scope: 'it has a scope that this app does not know',
  foreign_limit: 'it has a limit that is no number',

  // The executor of a key
  executor_needed: 'name the executor',
  space_or_hidden: 'it holds a space or a character that cannot be seen',
  half_an_address: 'it begins as an address and is none',

  // Webhooks
  no_delivery: 'There is no delivery in it.',
  path_form: 'A path begins with a slash and has no spaces and no query, such as /deliveries.',
  forward_needed: 'To answer as your endpoint does, deliveries have to be forwarded to it.',
  own_url: 'A URL of this computer, such as http://localhost:3000/hook.',
  other_host: 'It has to begin with http:// or https:// and be on the host that events are sent to.',

  // What is handed over
  needed: 'needed',
  too_long_to_show: 'too long to be shown whole before it runs',
  program_first: 'the first word is a program',
  whole_path: 'the whole path of a file, beginning with /',
  remote_path: 'the path of a file, from / or from the home folder, without \\ and !',
  hidden_characters: 'no line ends, control characters or hidden characters',
  looks_secret: 'this looks like a secret, and other programs can read the words of a command',
  credential_name: 'letters, digits, _ . - and at most 128 of them',
  docker_name: 'letters, digits, _ . - inside, at most 64',
  docker_context: 'letters, digits and _ . + -',
  kubernetes_name: 'small letters, digits, - and . inside',
  kubernetes_namespace: 'small letters, digits and - inside, at most 63',
  kubernetes_entry: 'letters, digits and . _ -',
  kubernetes_context: 'letters, digits and _ . : @ / -',
  github_name: 'letters, digits and _, not beginning with a digit or GITHUB_',
  repository: 'OWNER/NAME',
  github_environment: 'no quotes, commas, semicolons or backslashes',
  ssh_host: 'a host, or user@host',
}

const portWords: Readonly<Record<string, string>> = { EADDRINUSE: 'something else on this computer has it', EACCES: 'the system does not give it to you' }

const withFact: Readonly<Record<InputIssueFact, (fact: string) => string>> = {
  name_length: (most) => `A name has 1 to ${most} characters.`,
  presets_full: (most) => `${most} presets are kept already. Delete one first.`,
  watched_full: (most) => `${most} wallets are watched already. Remove one first.`,
  /** What confirms an action. */
  type_word: (word) => `type ${word}`,
  too_long: (most) => `at most ${most} characters`,
  most_decimals: (most) => `at most ${most} decimals`,
  type_host: (host) => `Type ${host} to send there.`,
  in_a_circle: (port) => `Deliveries would go round in a circle: port ${port} is the one that they are received on.`,
  /** A port and the system's code. */
  port_refused: (fact) => {
    const [port = '', code = ''] = fact.split(' ')
    return `Deliveries cannot be received on port ${port}: ${portWords[code] ?? code}. Choose another.`
  },
  no_address: (host) => `No address is known for ${host}. Look for a slip in the name.`,
  /** A host and one of its addresses. */
  inner_address: (fact) => {
    const [host = '', address = ''] = fact.split(' ')
    return `${host} resolves to ${address}, which is not a public address. The service cannot reach it.`
  },
  form: (sentence) => sentence,
  schema: (sentence) => sentence,
}

/** The sentence of an issue. */
export function inputIssueText(issue: InputIssue): string {
  if (Object.hasOwn(plain, issue)) return plain[issue as PlainInputIssue] // looked up above
  const [, code = '', fact = ''] = /^(\w+) (.*)$/s.exec(issue) ?? []
  return Object.hasOwn(withFact, code) ? withFact[code as InputIssueFact](fact) : issue
}
