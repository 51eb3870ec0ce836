-- What SQL writes holds no Unicode tags either, in which text can stand that people do not see and models read; those of
-- flags (UTS 51) may stay. Runs as the owner with search_path at Ricordo's schema.

-- As in 0014, but for the tags. Replacing a function keeps who owns and who may call it.
CREATE OR REPLACE FUNCTION trimmed(p_text text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    IF p_text ~ '(?<![\U0001F3F4\U000E0020-\U000E007F])[\U000E0000-\U000E007F]' THEN
        PERFORM refuse('p_content', 'holds invisible tag characters (U+E0000 to U+E007F); take them out');
    END IF;
    RETURN regexp_replace(regexp_replace(p_text,
        '^[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ''),
        '[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$', '');
END
$$;
