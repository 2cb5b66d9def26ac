//! The refused phrases: one table, each row with its reason, a good example and a bad one.

/// Where a phrase is refused.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(super) enum Place {
    /// At the beginning of a comment, where an editor shows nothing before it.
    Start,
    /// At the beginning of a sentence, a heading, a list item or a table cell.
    Sentence,
    /// Like `Sentence`, and also at the beginning of a string in lower case, which may continue another string.
    Clause,
    /// Anywhere in a sentence.
    Anywhere,
    /// Anywhere in a test's name.
    Test,
    /// Anywhere in any function's name.
    Name,
}

/// One refused phrase.
#[derive(Debug)]
pub(super) struct Rule {
    /// Words separated by spaces. `a|b` accepts either word, and `#` any number. A last word `!a|b` excuses the phrase
    /// if `a` or `b` follows. `^` is the beginning of a name.
    pub(super) phrase: &'static str,
    pub(super) place: Place,
    pub(super) reason: &'static str,
    pub(super) bad: &'static str,
    pub(super) good: &'static str,
}

const NOUN: &str = "a relative clause is no noun: name the thing";
const NAMELESS: &str = "a pronoun names no one: name the party";
const CONTEXT: &str = "a comment is shown alone: name the subject again";
const INVERTED: &str = "start with the subject, then the verb";
const METAPHOR: &str = "use the field's term";
const BEHAVIOUR: &str = "a name states the behaviour in terms of the field";

macro_rules! rules {
    ($($place:ident $phrase:literal $reason:expr, $bad:literal => $good:literal;)*) => {
        &[$(Rule { phrase: $phrase, place: Place::$place, reason: $reason, bad: $bad, good: $good }),*]
    };
}

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = rules! {
    // Rule 3: no relative clause as a noun.
    Clause   "what !do|does"                          NOUN, "What is missing of an argument." => "Lists missing arguments.";
    Clause   "who"                           NOUN, "Who cannot gets none." => "Requesters that cannot authenticate get no session.";
    Clause   "whom"                          NOUN, "Whom the proxy trusts." => "Roots that the proxy trusts.";
    Sentence "whose"                         NOUN, "Whose key it is." => "Owner of the key.";
    Clause   "that a|an|the|no|all|every"    NOUN, "That the key is known." => "Returns whether the key is known.";
    Clause   "how many|much|long|often|far"  NOUN, "How many bytes a key takes." => "Length of a key in bytes.";
    Anywhere "whoever|whomever|whosoever"    NOUN, "Whoever reads slowly waits." => "A slow reader waits.";
    Anywhere "of|for|with|from|by|to|in|than|after|before|but|beside what !extent|order|degree|follows|they"
                                             NOUN, "Hashes a part of what was sent." => "Hashes a part of the request.";
    Anywhere ",|;|:|and|or|but|for|of|to|than|with|by|as who"
                                             NOUN, "For debugging, who minds may prepare keys." => "Callers that need constant time prepare keys.";
    Anywhere "all that is|was|are|were|there"
                                             NOUN, "Returns all that is there." => "Returns all bytes read so far.";
    // Pronouns that name no one.
    Anywhere "nobody|somebody|anybody"       NAMELESS, "The port is closed where nobody listens." => "The port is closed if no server listens.";
    Anywhere "no one !of|can|may|should"     NAMELESS, "A key that no one has." => "A key without an owner.";
    // Rule 2: each comment is understood alone.
    Sentence "the same ,|.|;|:|for|of|with|as|on|in|at|but|without"
                                             CONTEXT, "The same, for ML-DSA." => "Signs a message with ML-DSA.";
    Sentence "as there|above|before|ever !is|are|was|were"
                                             CONTEXT, "As there, but without a salt." => "Derives a key without a salt.";
    Sentence "likewise|ditto"                CONTEXT, "Likewise for servers." => "Starts a server with these roots.";
    Sentence "both ,|.|are|is|were|have|has|of|at|in|may|must|can"
                                             CONTEXT, "Both are optional." => "The salt and the label are optional.";
    Start    "it !is"                        CONTEXT, "It gets a copy of the key." => "The session gets a copy of the key.";
    Start    "it is !an"                     CONTEXT, "It is empty at first." => "The list is empty at first.";
    Start    "its|their|they|theirs|ours"    CONTEXT, "Its length in bytes." => "Length of the key in bytes.";
    Start    "this|these|those ,|of|that|one|ones"
                                             CONTEXT, "Those of the client." => "Key shares of the client.";
    Start    "and|but|nor|or"                CONTEXT, "And the key, if there is one." => "The key, if there is one.";
    Sentence "nor"                           INVERTED, "Nor need callers wait." => "Callers need not wait.";
    // Rule 1: subject, verb, object.
    Sentence "of !course"                    INVERTED, "Of the groups, take this side's first." => "Prefers this side's group order.";
    Sentence "of|from|with|by|on|at|for|to|into|after|in which|whom"
                                             INVERTED, "With which the peer signs." => "Signature algorithm of the peer.";
    Anywhere ", of|by which|whom !#|one|two|three|four|eight|some|most|at|only|up|all|each|none|half|many"
                                             INVERTED, "Lists algorithms, of which the responder has keys." => "Lists algorithms for which the responder has keys.";
    Anywhere "but for !the|that"             "\"but for\" is archaic: write \"except\"", "Accepts all groups but for X25519." => "Accepts all groups except X25519.";
    Sentence "so much|many"                  INVERTED, "So many bytes are read." => "Reads `len` bytes.";
    Sentence "to be"                         INVERTED, "To be called once." => "Call this once.";
    // Rule 4: the field's terms.
    Anywhere "told|untold"                   METAPHOR, "The peer is told why." => "Sends an alert that names the reason.";
    Anywhere "hear|hears|heard !you"             METAPHOR, "The device hears of the event." => "The device receives the event.";
    Anywhere "begun|unbegun"                 METAPHOR, "A key that was begun." => "A key with only its seed filled in.";
    Anywhere "unmade|untrue|unkind"          METAPHOR, "An unmade key." => "An uninitialised key.";
    Anywhere "mend|mends|mended|mending"     METAPHOR, "Names the command that mends it." => "Names the command that fixes the error.";
    Anywhere "door|doors"                    METAPHOR, "Opens the door to requesters." => "Listens for requesters.";
    Anywhere "stands|stood !for|in|out"      METAPHOR, "The version stands first." => "The version comes first.";
    Anywhere "beside"                        METAPHOR, "Measures grille beside liboqs." => "Compares grille with liboqs.";
    Anywhere "besides ."                     METAPHOR, "Checks the date besides." => "Also checks the date.";
    Anywhere "altogether"                    METAPHOR, "Ignores the file altogether." => "Ignores the file.";
    Anywhere "anew|afresh"                   METAPHOR, "Computes the hash anew." => "Computes the hash again.";
    Anywhere "thereof|therein|whence|thence|wherein|whereof|hitherto"
                                             METAPHOR, "The key and the length thereof." => "The key and its length.";
    // Rule 9: tests are named for behaviour.
    Test     "^ what|who|whom|whose|of|it|and|as" BEHAVIOUR, "what_was_cut_is_refused" => "rejects_truncated_certificate";
    Test     "who|whom|whose"                BEHAVIOUR, "a_peer_who_leaves_ends_it" => "ends_when_peer_leaves";
    Test     "of|for|with|from|by|to|in|than|is what" BEHAVIOUR, "a_list_of_what_is_missing" => "lists_missing_arguments";
    Test     "of which"                      BEHAVIOUR, "a_chain_of_which_a_part_is_lost" => "rejects_partial_chain";
    Name     "nobody|somebody|anybody|whoever" BEHAVIOUR, "a_key_that_nobody_has" => "rejects_unknown_key";
    Name     "told|hears|mends|unmade|untrue|unkind|begun|door" BEHAVIOUR, "a_lost_peer_is_told" => "reports_lost_peer";
};

impl Rule {
    /// Returns whether the phrase begins at the word `at`.
    pub(super) fn matches(&self, words: &[String], at: usize) -> bool {
        let mut at = at;
        for expected in self.phrase.split(' ') {
            match (expected, expected.strip_prefix('!')) {
                ("^", _) if at == 0 => continue,
                (_, Some(excused)) => return !words.get(at).is_some_and(|word| is_one_of(word, excused)),
                _ if words.get(at).is_some_and(|word| is_one_of(word, expected)) => at += 1,
                _ => return false,
            }
        }
        true
    }

    /// Returns whether the phrase begins at any word.
    pub(super) fn matches_at_any(&self, words: &[String]) -> bool {
        (0..words.len()).any(|at| self.matches(words, at))
    }
}

/// Returns whether `word` is one of the alternatives, regardless of case.
fn is_one_of(word: &str, alternatives: &str) -> bool {
    let is_number = word.starts_with(|c: char| c.is_ascii_digit());
    alternatives.split('|').any(|one| word.eq_ignore_ascii_case(one) || (one == "#" && is_number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(phrase: &'static str, text: &str) -> bool {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        Rule { phrase, place: Place::Anywhere, reason: "", bad: "", good: "" }.matches_at_any(&words)
    }

    #[test]
    fn phrases_match_whole_words_in_any_case() {
        assert!(matches("of what", "a part Of What came"));
        assert!(!matches("of what", "a part of whatever"));
    }

    #[test]
    fn alternatives_exceptions_numbers_and_beginnings() {
        assert!(matches("of which !#", "of which some") && !matches("of which !#", "of which 306"));
        assert!(matches("a|b c", "x b c") && !matches("a|b c", "x d c"));
        assert!(matches("it !is", "it has") && matches("it !is", "it") && !matches("it !is", "it is"));
        assert!(matches("^ a", "a b") && !matches("^ b", "a b"));
    }
}
