/** True for a mark that nobody writes but a model. */
export const isSpecialToken = (mark: string) => /^(?:<[|｜]|<\/?\w+:|\[\/?[A-Z_]+\]|\]<)/.test(mark)
