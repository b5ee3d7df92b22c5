import type { InputIssue } from '../ipc/failure.ts'
import { catalogue, textOf } from './catalogue.ts'
import { formIssueText } from './form-text.ts'

/** Reasons why main refuses an input, keyed by `InputIssue`. */
export const inputIssueWords = catalogue('inputIssues', {
  above_zero: 'Enter a number above zero.',
  not_a_number: 'This is not a number.',
  not_json: 'This is not JSON.',
  not_a_tx_hash: 'This is not a transaction hash.',
  market_needed: 'Choose at least one market.',
  named_twice: 'This appears twice.',
  not_an_id: 'This page does not accept this ID.',
  not_a_url: 'This is not a URL.',
  rpc_https: 'An RPC address begins with https://.',
  other_host_checked: 'This is not the host that was checked.',
  practice_host_only: 'Practice only reads from its own second host.',
  other_profile_name: 'This is not the name of the profile.',
  passphrase_needed: 'Enter the current passphrase.',
  not_an_address: 'This is not an address.',
  not_a_reading_method: 'This is not one of the read methods.',
  address_form: 'An address is 0x and 40 hexadecimal digits.',
  address_checksum: 'The checksum of this address does not match: a letter or digit is wrong.',
  name_taken: 'Another wallet already has this name.',
  drifted_again: 'The data that the service publishes has changed again. Review the change once more.',
  key_needed: 'Name the key.',
  webhook_needed: 'Name the webhook.',
  every_stands_alone: '* must be the only entry.',
  not_found_there: 'This is not one of the keys found.',
  no_candidate: 'This key is not one of those offered.',
  other_intent: 'This order does not belong to the step.',
  scopes_unknown: 'The service does not say what this key may do.',
  addresses_unknown: 'The service does not say from which addresses this key works.',
  foreign_scope: 'The key has a scope that this app does not know.',
  foreign_limit: 'The key has a limit that is not a number.',

  // Sentences about the executor of a key
  executor_needed: 'Name the executor.',
  space_or_hidden: 'The name contains a space or an invisible character.',
  half_an_address: 'This begins like an address but is not one.',

  // Sentences about webhooks
  no_delivery: 'This contains no delivery.',
  path_form: 'A path begins with a slash and has no spaces and no query, such as /deliveries.',
  forward_needed: 'To answer as your endpoint does, forward deliveries to it.',
  own_url: 'Enter a URL of this computer, such as http://localhost:3000/hook.',
  other_host: 'The URL must begin with http:// or https:// and be on the host that receives the events.',

  // Sentences about handing over a secret to another program
  needed: 'This is required.',
  too_long_to_show: 'The command is too long to show in full before it runs.',
  program_first: 'The first word must be a program.',
  whole_path: 'Enter the full path of a file, beginning with /.',
  remote_path: 'Enter the path of a file, from / or from the home folder, without \\ and !.',
  hidden_characters: 'Line breaks, control characters and hidden characters are not allowed.',
  looks_secret: 'This looks like a secret, and other programs can read the words of a command.',
  credential_name: 'Use letters, digits and _ . -, at most 128 characters.',
  docker_name: 'Use letters and digits, with _ . - only inside, at most 64 characters.',
  docker_context: 'Use letters, digits and _ . + -.',
  kubernetes_name: 'Use lowercase letters and digits, with - and . only inside.',
  kubernetes_namespace: 'Use lowercase letters and digits, with - only inside, at most 63 characters.',
  kubernetes_entry: 'Use letters, digits and . _ -.',
  kubernetes_context: 'Use letters, digits and _ . : @ / -.',
  github_name: 'Use letters, digits and _. The name must not begin with a digit or GITHUB_.',
  repository: 'Enter OWNER/NAME.',
  github_environment: 'Quotes, commas, semicolons and backslashes are not allowed.',
  ssh_host: 'Enter a host, or user@host.',
  target_name: 'Start with a letter or digit, and use only the characters that this target accepts.',

  // Sentences that contain a detail, such as a number or a host
  name_length: (most: string) => `A name has 1 to ${most} characters.`,
  presets_full: (most: string) => `You have ${most} presets already. Delete one first.`,
  watched_full: (most: string) => `You are watching ${most} wallets already. Remove one first.`,
  type_word: (word: string) => `Type ${word} to confirm.`,
  too_long: (most: string) => `Use at most ${most} characters.`,
  most_decimals: (most: string) => `Use at most ${most} decimals.`,
  type_host: (host: string) => `Type ${host} to send deliveries there.`,
  in_a_circle: (port: string) => `Deliveries would loop: port ${port} already receives them.`,
  port_in_use: (port: string) => `Deliveries cannot be received on port ${port}: another program uses it. Choose another port.`,
  port_not_allowed: (port: string) => `Deliveries cannot be received on port ${port}: the system does not allow it. Choose another port.`,
  port_refused: (port: string, code: string) => `Deliveries cannot be received on port ${port}: ${code}. Choose another port.`,
  no_address: (host: string) => `No address is known for ${host}. Check the name for typos.`,
  inner_address: (host: string, address: string) => `${host} resolves to ${address}, which is not a public address. The service cannot reach it.`,
})

/** Returns the sentence for an issue with a code and a detail (`fact`). null if the code is unknown. Some details consist of two words. */
function withFact(code: string, fact: string): string | null {
  const [first = '', second = ''] = fact.split(' ')
  switch (code) {
    case 'port_refused':
      if (second === 'EADDRINUSE') return inputIssueWords.port_in_use(first)
      return second === 'EACCES' ? inputIssueWords.port_not_allowed(first) : inputIssueWords.port_refused(first, second)
    case 'inner_address':
      return inputIssueWords.inner_address(first, second)
    case 'name_length':
    case 'presets_full':
    case 'watched_full':
    case 'type_word':
    case 'too_long':
    case 'most_decimals':
    case 'type_host':
    case 'in_a_circle':
    case 'no_address':
      return inputIssueWords[code](fact)
    // The detail is a finished text: a form's sentence that an earlier version stored, or the error message of a call's schema.
    case 'form':
    case 'schema':
      return fact
    default:
      return null
  }
}

export function inputIssueText(issue: InputIssue): string {
  if (typeof issue !== 'string') return formIssueText(issue)
  const plain = textOf(inputIssueWords, issue)
  if (typeof plain === 'string') return plain
  const [, code = '', fact = ''] = /^(\w+) (.*)$/s.exec(issue) ?? []
  return withFact(code, fact) ?? issue
}
