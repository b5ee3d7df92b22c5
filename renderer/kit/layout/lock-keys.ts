/** Locks from everywhere, also while something is typed. Not Ctrl Alt L, with which desktops lock their own screen. */
export const lockKeys = ['Ctrl', 'Shift', 'L'] as const
