interface Suite {
  readonly suites?: readonly Suite[]
  readonly specs?: readonly {
    readonly title: string
    readonly tests: readonly { readonly status: string; readonly annotations: readonly { readonly type: string; readonly description?: string }[] }[]
  }[]
}

/** The tests that a run of Playwright left out, each with its reason. Takes what its JSON reporter wrote. */
export function skippedTests(report: unknown): string[] {
  return ofSuite(report as Suite) // Playwright's own report
}

const ofSuite = ({ suites = [], specs = [] }: Suite): string[] => [
  ...specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'skipped')
      .map(({ annotations }) => `${title}: ${annotations.find(({ type }) => type === 'skip' || type === 'fixme')?.description ?? 'without a reason'}`),
  ),
  ...suites.flatMap(ofSuite),
]
