"""A plain PostgreSQL that says it is a Citus coordinator: it refuses what Citus refuses when tables are distributed,
and leaves them where they are.

Ricordo then takes the store for a distributed one: it completes every statement, and the policies are those of a
cluster. What a cluster's planner and its workers do is not here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from ricordo.database import distribution, scoping
from ricordo.settings import Settings
from stores import connect

_FUNCTIONS = """
    CREATE TABLE public.pg_dist_partition (logicalrelid regclass PRIMARY KEY, partmethod "char" NOT NULL);
    -- Tables that cannot be placed just now, as when a worker is away.
    CREATE TABLE public.unplaceable (name text PRIMARY KEY);
    CREATE FUNCTION public.place(p_table regclass, p_method "char") RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
        problem text := CASE
            WHEN EXISTS (SELECT FROM public.unplaceable WHERE name = p_table::text) THEN 'a worker is away'
            WHEN EXISTS (SELECT FROM public.pg_dist_partition WHERE logicalrelid = p_table) THEN 'is placed already'
            WHEN EXISTS (SELECT FROM pg_trigger WHERE tgrelid = p_table AND NOT tgisinternal) THEN 'has triggers'
            WHEN EXISTS (SELECT FROM pg_policy WHERE polrelid = p_table
                         AND (polqual::text LIKE '%SUBLINK%' OR polwithcheck::text LIKE '%SUBLINK%'))
                THEN 'has a policy with a sub-select'
            WHEN EXISTS (SELECT FROM pg_class WHERE oid = p_table AND relforcerowsecurity)
                THEN 'hides its rows from an owner that is no superuser'
            WHEN EXISTS (SELECT FROM pg_attribute
                         WHERE attrelid = p_table AND attidentity <> '' AND atttypid = 'int2'::regtype)
                THEN 'has an identity that is no bigint'
            WHEN current_setting('citus.multi_shard_modify_mode', true) IS DISTINCT FROM 'sequential'
                THEN 'has keys to reference tables: modify shards in sequence'
            WHEN EXISTS (
                SELECT FROM pg_constraint k LEFT JOIN public.pg_dist_partition d ON d.logicalrelid = k.confrelid
                WHERE k.contype = 'f' AND k.conrelid = p_table AND k.confrelid <> p_table
                  AND (d.logicalrelid IS NULL OR p_method = 'n' OR d.partmethod = 'n'))
                THEN 'refers to a table that lies elsewhere'
            WHEN EXISTS (
                SELECT FROM pg_constraint k WHERE k.contype = 'f' AND k.confrelid = p_table AND p_method = 'n')
                THEN 'is referred to'
        END;
    BEGIN
        IF problem IS NOT NULL THEN
            RAISE EXCEPTION '% %', p_table, problem;
        END IF;
        INSERT INTO public.pg_dist_partition VALUES (p_table, p_method);
    END $$;
    CREATE FUNCTION public.create_distributed_table(p_table regclass, p_column text, colocate_with text)
    RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (
            SELECT FROM pg_index WHERE indrelid = p_table AND indisunique AND NOT EXISTS (
                SELECT FROM pg_attribute
                WHERE attrelid = p_table AND attname = p_column AND attnum = ANY(indkey))
        ) THEN
            RAISE EXCEPTION '% has a unique index without %', p_table, p_column;
        END IF;
        PERFORM public.place(p_table, 'h');
    END $$;
    CREATE FUNCTION public.create_reference_table(p_table regclass) RETURNS void LANGUAGE sql
    AS 'SELECT public.place(p_table, ''n'')'
"""


@contextmanager
def citus_is_there(settings: Settings) -> Iterator[psycopg.Connection]:
    """Have the database of a store say so within the block; yields its owner's connection."""
    with pytest.MonkeyPatch.context() as patch, connect(settings) as owner:
        pretend(patch)
        owner.execute(_FUNCTIONS)
        yield owner


def pretend(patch: pytest.MonkeyPatch) -> None:
    """Look for what Citus has placed where this module notes it."""

    async def required(*_: object) -> None:
        pass

    patch.setattr(scoping, "_PLACEMENTS", "public.pg_dist_partition")
    patch.setattr(distribution, "_require_citus", required)


def spread(settings: Settings) -> None:
    """Distribute a store that nobody has opened."""
    with citus_is_there(settings):
        asyncio.run(distribution.distribute(settings))
