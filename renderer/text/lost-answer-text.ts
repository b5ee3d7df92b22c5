/** What a lost answer means and what to do, by the route: prepare and execute are repeated under one key, the relay never is (Idempotency rules 3, 6). */
export function lostAnswerText(route: string | null): readonly [meaning: string, remedy: string] {
  if (route?.endsWith('/orders/prepare') === true)
    return [
      'The app asked up to three times under the same idempotency key. The order may be prepared, but nothing was signed, so nothing can be executed.',
      'Review the order again.',
    ]
  if (route?.endsWith('/orders/execute') === true)
    return [
      'The app sent it up to three times under the same idempotency key, so it is carried out at most once. Whether it was is not known.',
      'Wait: the app looks it up. Activity shows what it finds.',
    ]
  if (route?.endsWith('/actions/relay') === true)
    return [
      'The app sent your signature once and does not repeat it. Whether the relay took it is not known.',
      'Wait: the app looks it up. Activity shows what it finds.',
    ]
  return ['The request left this computer. Whether the service carried it out is not known.', 'Wait: the app looks it up. Activity shows what it finds.']
}
