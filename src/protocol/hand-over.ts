/** `declined`: another runtime may accept it. `unanswered`: no reply in time, or an invalid one. `refused`: no runtime may take this call. */
export type StartAnswer = 'accepted' | 'declined' | 'unanswered' | 'refused';
