--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: heddle_account; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.heddle_account (
    cluster character varying(60) NOT NULL,
    queue character varying(200) NOT NULL,
    balance bigint NOT NULL,
    rate bigint NOT NULL,
    remainder bigint NOT NULL,
    CONSTRAINT heddle_account_balance_check CHECK ((balance >= 0))
);


--
-- Name: heddle_application; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.heddle_application (
    cluster character varying(60) NOT NULL,
    sequence bigint NOT NULL,
    queue character varying(200) NOT NULL,
    application character varying(60) NOT NULL,
    at_millis bigint NOT NULL,
    name character varying(60) NOT NULL,
    user_name character varying(60) NOT NULL,
    slot_millis bigint NOT NULL,
    charge bigint NOT NULL
);


--
-- Name: heddle_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.heddle_audit (
    cluster character varying(60) NOT NULL,
    sequence bigint NOT NULL,
    at_millis bigint NOT NULL,
    principal character varying(200) NOT NULL,
    origin character varying(200) NOT NULL,
    action character varying(200) NOT NULL,
    target character varying(300) NOT NULL,
    details text NOT NULL,
    previous_hash character varying(64) NOT NULL,
    hash character varying(64) NOT NULL
);


--
-- Name: heddle_epoch; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.heddle_epoch (
    cluster character varying(60) NOT NULL,
    number bigint NOT NULL,
    start_millis bigint NOT NULL,
    unit_millis bigint NOT NULL,
    millis bigint NOT NULL,
    price bigint NOT NULL,
    capacity bigint NOT NULL,
    used bigint NOT NULL,
    paying integer NOT NULL
);


--
-- Name: heddle_income_schedule; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.heddle_income_schedule (
    cluster character varying(60) NOT NULL,
    id character varying(60) NOT NULL,
    total bigint NOT NULL,
    every_millis bigint NOT NULL,
    start_millis bigint NOT NULL,
    cap bigint NOT NULL,
    next_due_millis bigint NOT NULL
);


--
-- Name: heddle_income_weight; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.heddle_income_weight (
    cluster character varying(60) NOT NULL,
    id character varying(60) NOT NULL,
    queue character varying(200) NOT NULL,
    weight bigint NOT NULL
);


--
-- Name: heddle_ledger; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.heddle_ledger (
    cluster character varying(60) NOT NULL,
    version integer NOT NULL,
    fence bigint NOT NULL,
    sequence bigint NOT NULL,
    epoch bigint NOT NULL,
    unit_millis bigint NOT NULL,
    mint bigint NOT NULL,
    revenue bigint NOT NULL,
    waiver bigint NOT NULL,
    audit_sequence bigint NOT NULL,
    audit_hash character varying(64) NOT NULL
);


--
-- Name: heddle_line; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.heddle_line (
    cluster character varying(60) NOT NULL,
    sequence bigint NOT NULL,
    line integer NOT NULL,
    queue character varying(200) NOT NULL,
    at_millis bigint NOT NULL,
    kind character varying(20) NOT NULL,
    epoch bigint NOT NULL,
    amount bigint NOT NULL,
    balance bigint NOT NULL,
    rate bigint NOT NULL,
    slot_millis bigint NOT NULL,
    words character varying(300) NOT NULL,
    remainder bigint NOT NULL
);


--
-- Name: heddle_posting; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.heddle_posting (
    cluster character varying(60) NOT NULL,
    sequence bigint NOT NULL,
    posting integer NOT NULL,
    account character varying(200) NOT NULL,
    nanos bigint NOT NULL
);


--
-- Name: heddle_record; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.heddle_record (
    cluster character varying(60) NOT NULL,
    kind character varying(40) NOT NULL,
    id character varying(200) NOT NULL,
    content text NOT NULL
);


--
-- Data for Name: heddle_account; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.heddle_account VALUES ('pine', 'Sam', 0, 0, 940005);
INSERT INTO public.heddle_account VALUES ('pine', 'alice', 945311625, 0, 626026);
INSERT INTO public.heddle_account VALUES ('pine', 'sam', 184427635, 0, 860545);
INSERT INTO public.heddle_account VALUES ('pine', 'bob', 4025986633, 0, 931982);
INSERT INTO public.heddle_account VALUES ('pine', 'x_1', 0, 2879047, 826042);


--
-- Data for Name: heddle_application; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.heddle_application VALUES ('pine', 13, 'sam', 'app-2', 1700000013000, 'nightly ü', 'sam', 600, 29201897);
INSERT INTO public.heddle_application VALUES ('pine', 13, 'sam', 'app-9', 1700000013000, 'nightly ü', 'sam', 300, 29201897);
INSERT INTO public.heddle_application VALUES ('pine', 13, 'sam', '', 1700000013000, '', '', 1, 29201898);
INSERT INTO public.heddle_application VALUES ('pine', 15, 'sam', 'app-0', 1700000015000, 'nightly ü', 'sam', 600, 123777636);
INSERT INTO public.heddle_application VALUES ('pine', 15, 'sam', 'app-7', 1700000015000, 'nightly ü', 'sam', 300, 123777636);
INSERT INTO public.heddle_application VALUES ('pine', 15, 'sam', '', 1700000015000, '', '', 1, 123777637);
INSERT INTO public.heddle_application VALUES ('pine', 17, 'sam', 'app-5', 1700000017000, 'nightly ü', 'sam', 600, 57108414);
INSERT INTO public.heddle_application VALUES ('pine', 17, 'sam', 'app-12', 1700000017000, 'nightly ü', 'sam', 300, 57108414);
INSERT INTO public.heddle_application VALUES ('pine', 17, 'sam', '', 1700000017000, '', '', 1, 57108415);
INSERT INTO public.heddle_application VALUES ('pine', 21, 'alice', 'app-1', 1700000021000, 'nightly ü', 'alice', 600, 172751547);
INSERT INTO public.heddle_application VALUES ('pine', 21, 'alice', 'app-8', 1700000021000, 'nightly ü', 'alice', 300, 172751547);
INSERT INTO public.heddle_application VALUES ('pine', 21, 'alice', '', 1700000021000, '', '', 1, 172751548);
INSERT INTO public.heddle_application VALUES ('pine', 23, 'alice', 'app-6', 1700000023000, 'nightly ü', 'alice', 600, 143538524);
INSERT INTO public.heddle_application VALUES ('pine', 23, 'alice', 'app-13', 1700000023000, 'nightly ü', 'alice', 300, 143538524);
INSERT INTO public.heddle_application VALUES ('pine', 23, 'alice', '', 1700000023000, '', '', 1, 143538526);
INSERT INTO public.heddle_application VALUES ('pine', 23, 'sam', 'app-6', 1700000023000, 'nightly ü', 'sam', 600, 47167379);
INSERT INTO public.heddle_application VALUES ('pine', 23, 'sam', 'app-13', 1700000023000, 'nightly ü', 'sam', 300, 47167379);
INSERT INTO public.heddle_application VALUES ('pine', 23, 'sam', '', 1700000023000, '', '', 1, 47167381);


--
-- Data for Name: heddle_audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.heddle_audit VALUES ('pine', 1, 1700000001000, 'alice', 'test', 'OPENING', 'thing', '{"idempotency-key":"key-1","odd = text":"line\nbreak ü","request":"f"}', '0000000000000000000000000000000000000000000000000000000000000000', '9c3467b9ef7da1b05250be76c3a757fc8736d5fff6305674fe59b81d95852f6c');
INSERT INTO public.heddle_audit VALUES ('pine', 2, 1700000002000, 'alice', 'test', 'OPENING', 'thing', '{"idempotency-key":"key-2","odd = text":"line\nbreak ü","request":"f"}', '9c3467b9ef7da1b05250be76c3a757fc8736d5fff6305674fe59b81d95852f6c', '96d5664d67bdb75bcfd57abade680e07b33f3fdde376042b9a3dc16a3e779c8b');
INSERT INTO public.heddle_audit VALUES ('pine', 3, 1700000003000, 'alice', 'test', 'OPENING', 'thing', '{"idempotency-key":"key-3","odd = text":"line\nbreak ü","request":"f"}', '96d5664d67bdb75bcfd57abade680e07b33f3fdde376042b9a3dc16a3e779c8b', '1ceb26401080a1a993e710ea8fef0db9b00c348fb3f5e653dbfb5730e33a5d9e');
INSERT INTO public.heddle_audit VALUES ('pine', 4, 1700000004000, 'alice', 'test', 'OPENING', 'thing', '{"idempotency-key":"key-4","odd = text":"line\nbreak ü","request":"f"}', '1ceb26401080a1a993e710ea8fef0db9b00c348fb3f5e653dbfb5730e33a5d9e', 'a4793b88b9bd10ebf949e1caaa44e4baac8ed05d286cfe47f136ca83bea42d52');
INSERT INTO public.heddle_audit VALUES ('pine', 5, 1700000005000, 'alice', 'test', 'OPENING', 'thing', '{"idempotency-key":"key-5","odd = text":"line\nbreak ü","request":"f"}', 'a4793b88b9bd10ebf949e1caaa44e4baac8ed05d286cfe47f136ca83bea42d52', 'e957270db7820e31fceed5fb52501cfdae8415b47d101303635bb37d84f98e06');
INSERT INTO public.heddle_audit VALUES ('pine', 6, 1700000007000, 'alice', 'test', 'SCHEDULE', 'thing', '{"idempotency-key":"key-7","odd = text":"line\nbreak ü","request":"f"}', 'e957270db7820e31fceed5fb52501cfdae8415b47d101303635bb37d84f98e06', 'dc1676050eb614fa59ee00694fe4f71d5ab3876fbb0bcd5a4691c3f59fa3ff43');
INSERT INTO public.heddle_audit VALUES ('pine', 7, 1700000008000, 'alice', 'test', 'DEPOSIT', 'thing', '{"idempotency-key":"key-8","odd = text":"line\nbreak ü","request":"f"}', 'dc1676050eb614fa59ee00694fe4f71d5ab3876fbb0bcd5a4691c3f59fa3ff43', 'eb2eaff49850149cea143a57ed0d6e6ba92cd841f59b123130adc10ecd310e1e');
INSERT INTO public.heddle_audit VALUES ('pine', 8, 1700000009000, 'alice', 'test', 'RECORD', 'thing', '{"idempotency-key":"key-9","odd = text":"line\nbreak ü","request":"f"}', 'eb2eaff49850149cea143a57ed0d6e6ba92cd841f59b123130adc10ecd310e1e', '43227a7816c0e3156682489fab09abb94b6bd1d9c8aea604f0bb3f1e4ebeb5fc');
INSERT INTO public.heddle_audit VALUES ('pine', 9, 1700000010000, 'alice', 'test', 'WITHDRAWAL', 'thing', '{"idempotency-key":"key-10","odd = text":"line\nbreak ü","request":"f"}', '43227a7816c0e3156682489fab09abb94b6bd1d9c8aea604f0bb3f1e4ebeb5fc', '94e2c54397bfa6feb0cdc5dca83cc7364834e82266f82133f3e2fb082c576008');
INSERT INTO public.heddle_audit VALUES ('pine', 10, 1700000011000, 'alice', 'test', 'WITHDRAWAL', 'thing', '{"idempotency-key":"key-11","odd = text":"line\nbreak ü","request":"f"}', '94e2c54397bfa6feb0cdc5dca83cc7364834e82266f82133f3e2fb082c576008', '87da324aacd9abab927de1e2340dd6ae48415bb9dd96519dee8bc887f4d56469');
INSERT INTO public.heddle_audit VALUES ('pine', 11, 1700000012000, 'alice', 'test', 'RECORD', 'thing', '{"idempotency-key":"key-12","odd = text":"line\nbreak ü","request":"f"}', '87da324aacd9abab927de1e2340dd6ae48415bb9dd96519dee8bc887f4d56469', '8a46e25b14796eb5cecb3175d1e078ee59a5aedeb4a8dd8749115f82e921e788');
INSERT INTO public.heddle_audit VALUES ('pine', 12, 1700000016000, 'alice', 'test', 'SCHEDULE', 'thing', '{"idempotency-key":"key-16","odd = text":"line\nbreak ü","request":"f"}', '8a46e25b14796eb5cecb3175d1e078ee59a5aedeb4a8dd8749115f82e921e788', '591bee5b156fe9da0ffd3fa3e4e5f423efe22f7149e63ede0d7097ad1e1923c2');
INSERT INTO public.heddle_audit VALUES ('pine', 13, 1700000018000, 'alice', 'test', 'WITHDRAWAL', 'thing', '{"idempotency-key":"key-18","odd = text":"line\nbreak ü","request":"f"}', '591bee5b156fe9da0ffd3fa3e4e5f423efe22f7149e63ede0d7097ad1e1923c2', 'a2028a592025de9e889bb6bb3d3afa18f6abbfa5cfa1b489614ae64fc415cf1e');
INSERT INTO public.heddle_audit VALUES ('pine', 14, 1700000019000, 'alice', 'test', 'RATE', 'thing', '{"idempotency-key":"key-19","odd = text":"line\nbreak ü","request":"f"}', 'a2028a592025de9e889bb6bb3d3afa18f6abbfa5cfa1b489614ae64fc415cf1e', 'bed19521c0cac37d2e9620eeccd7a8a60dd55f24ed928c68afed8751452d2237');
INSERT INTO public.heddle_audit VALUES ('pine', 15, 1700000020000, 'alice', 'test', 'DEPOSIT', 'thing', '{"idempotency-key":"key-20","odd = text":"line\nbreak ü","request":"f"}', 'bed19521c0cac37d2e9620eeccd7a8a60dd55f24ed928c68afed8751452d2237', '483f97e77ac639d2d6b0cc61799e8363dd94ea423491c38f6d1163ab32f2d2d3');
INSERT INTO public.heddle_audit VALUES ('pine', 16, 1700000024000, 'alice', 'test', 'DEPOSIT', 'thing', '{"idempotency-key":"key-24","odd = text":"line\nbreak ü","request":"f"}', '483f97e77ac639d2d6b0cc61799e8363dd94ea423491c38f6d1163ab32f2d2d3', '573d788966a149e01a38ee4eef5d717b963d8a7a3c8bbdcc96d566b945d7a10c');


--
-- Data for Name: heddle_epoch; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.heddle_epoch VALUES ('pine', 1, 1700000005000, 20000, 1000, 7500000000, 15000000000, 9000000000, 2);
INSERT INTO public.heddle_epoch VALUES ('pine', 2, 1700000012000, 20000, 1000, 7500000000, 15000000000, 9000000000, 2);
INSERT INTO public.heddle_epoch VALUES ('pine', 3, 1700000013000, 20000, 1000, 7500000000, 15000000000, 9000000000, 2);
INSERT INTO public.heddle_epoch VALUES ('pine', 4, 1700000014000, 20000, 1000, 7500000000, 15000000000, 9000000000, 2);
INSERT INTO public.heddle_epoch VALUES ('pine', 5, 1700000016000, 20000, 1000, 7500000000, 15000000000, 9000000000, 2);
INSERT INTO public.heddle_epoch VALUES ('pine', 6, 1700000020000, 20000, 1000, 7500000000, 15000000000, 9000000000, 2);
INSERT INTO public.heddle_epoch VALUES ('pine', 7, 1700000021000, 20000, 1000, 7500000000, 15000000000, 9000000000, 2);
INSERT INTO public.heddle_epoch VALUES ('pine', 8, 1700000022000, 20000, 1000, 7500000000, 15000000000, 9000000000, 2);
INSERT INTO public.heddle_epoch VALUES ('pine', 9, 1700000024000, 20000, 1000, 7500000000, 15000000000, 9000000000, 2);


--
-- Data for Name: heddle_income_schedule; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.heddle_income_schedule VALUES ('pine', 'daily', 3159358357, 3600000, 1700000016000, 0, 1700003616000);


--
-- Data for Name: heddle_income_weight; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.heddle_income_weight VALUES ('pine', 'daily', 'another', 2);
INSERT INTO public.heddle_income_weight VALUES ('pine', 'daily', 'sam', 1);


--
-- Data for Name: heddle_ledger; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.heddle_ledger VALUES ('pine', 1, 1, 25, 9, 20000, -6876362092, 8460132079, -6739495880, 16, '573d788966a149e01a38ee4eef5d717b963d8a7a3c8bbdcc96d566b945d7a10c');


--
-- Data for Name: heddle_line; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.heddle_line VALUES ('pine', 6, 0, 'alice', 1700000006000, 'CHARGE', 1, 0, 0, 3721731, 96022, 'epoch 1', 927197);
INSERT INTO public.heddle_line VALUES ('pine', 6, 1, 'alice', 1700000006000, 'WAIVER', 1, 123374874, 0, 3721731, 0, 'could not be paid in epoch 1', 927197);
INSERT INTO public.heddle_line VALUES ('pine', 6, 2, 'sam', 1700000006000, 'CHARGE', 1, 0, 0, 709852, 38306, 'epoch 1', 157047);
INSERT INTO public.heddle_line VALUES ('pine', 6, 3, 'sam', 1700000006000, 'WAIVER', 1, 775855878, 0, 709852, 0, 'could not be paid in epoch 1', 157047);
INSERT INTO public.heddle_line VALUES ('pine', 6, 4, 'x_1', 1700000006000, 'CHARGE', 1, 0, 0, 373850, 11911, 'epoch 1', 740519);
INSERT INTO public.heddle_line VALUES ('pine', 6, 5, 'x_1', 1700000006000, 'WAIVER', 1, 786301293, 0, 373850, 0, 'could not be paid in epoch 1', 740519);
INSERT INTO public.heddle_line VALUES ('pine', 8, 0, 'sam', 1700000008000, 'DEPOSIT', 0, 4044746545, 4044746545, 0, 0, 'why', 0);
INSERT INTO public.heddle_line VALUES ('pine', 10, 0, 'sam', 1700000010000, 'WITHDRAWAL', 0, -3088552927, 956193618, 0, 0, 'why', 0);
INSERT INTO public.heddle_line VALUES ('pine', 11, 0, 'alice', 1700000011000, 'WITHDRAWAL', 0, 0, 0, 0, 0, 'why', 0);
INSERT INTO public.heddle_line VALUES ('pine', 13, 0, 'Sam', 1700000013000, 'CHARGE', 2, 0, 0, 1516940, 35578, 'epoch 2', 452419);
INSERT INTO public.heddle_line VALUES ('pine', 13, 1, 'Sam', 1700000013000, 'WAIVER', 2, 799457545, 0, 1516940, 0, 'could not be paid in epoch 2', 452419);
INSERT INTO public.heddle_line VALUES ('pine', 13, 2, 'sam', 1700000013000, 'CHARGE', 2, -87605692, 868587926, 3208437, 22390, 'epoch 2', 189079);
INSERT INTO public.heddle_line VALUES ('pine', 13, 3, 'x_1', 1700000013000, 'CHARGE', 2, 0, 0, 838922, 42785, 'epoch 2', 353850);
INSERT INTO public.heddle_line VALUES ('pine', 13, 4, 'x_1', 1700000013000, 'WAIVER', 2, 171838127, 0, 838922, 0, 'could not be paid in epoch 2', 353850);
INSERT INTO public.heddle_line VALUES ('pine', 14, 0, 'alice', 1700000014000, 'CHARGE', 3, 0, 0, 1133791, 67940, 'epoch 3', 66943);
INSERT INTO public.heddle_line VALUES ('pine', 14, 1, 'alice', 1700000014000, 'WAIVER', 3, 836223103, 0, 1133791, 0, 'could not be paid in epoch 3', 66943);
INSERT INTO public.heddle_line VALUES ('pine', 14, 2, 'x_1', 1700000014000, 'CHARGE', 3, 0, 0, 486586, 71013, 'epoch 3', 662567);
INSERT INTO public.heddle_line VALUES ('pine', 14, 3, 'x_1', 1700000014000, 'WAIVER', 3, 583309942, 0, 486586, 0, 'could not be paid in epoch 3', 662567);
INSERT INTO public.heddle_line VALUES ('pine', 15, 0, 'alice', 1700000015000, 'CHARGE', 4, 0, 0, 323037, 58647, 'epoch 4', 246518);
INSERT INTO public.heddle_line VALUES ('pine', 15, 1, 'alice', 1700000015000, 'WAIVER', 4, 506681353, 0, 323037, 0, 'could not be paid in epoch 4', 246518);
INSERT INTO public.heddle_line VALUES ('pine', 15, 2, 'sam', 1700000015000, 'CHARGE', 4, -371332909, 497255017, 3738222, 14739, 'epoch 4', 207674);
INSERT INTO public.heddle_line VALUES ('pine', 17, 0, 'sam', 1700000017000, 'CHARGE', 5, -171325243, 325929774, 1611876, 2743, 'epoch 5', 471168);
INSERT INTO public.heddle_line VALUES ('pine', 18, 0, 'Sam', 1700000018000, 'WITHDRAWAL', 0, 0, 0, 0, 0, 'why', 0);
INSERT INTO public.heddle_line VALUES ('pine', 20, 0, 'alice', 1700000020000, 'DEPOSIT', 0, 1894181841, 1894181841, 0, 0, 'why', 0);
INSERT INTO public.heddle_line VALUES ('pine', 21, 0, 'alice', 1700000021000, 'CHARGE', 6, -518254642, 1375927199, 748819, 2247, 'epoch 6', 593214);
INSERT INTO public.heddle_line VALUES ('pine', 21, 1, 'x_1', 1700000021000, 'CHARGE', 6, 0, 0, 4365968, 76950, 'epoch 6', 166958);
INSERT INTO public.heddle_line VALUES ('pine', 21, 2, 'x_1', 1700000021000, 'WAIVER', 6, 459859717, 0, 4365968, 0, 'could not be paid in epoch 6', 166958);
INSERT INTO public.heddle_line VALUES ('pine', 22, 0, 'bob', 1700000022000, 'CHARGE', 7, 0, 0, 2080427, 77489, 'epoch 7', 931982);
INSERT INTO public.heddle_line VALUES ('pine', 22, 1, 'bob', 1700000022000, 'WAIVER', 7, 503911048, 0, 2080427, 0, 'could not be paid in epoch 7', 931982);
INSERT INTO public.heddle_line VALUES ('pine', 22, 2, 'Sam', 1700000022000, 'CHARGE', 7, 0, 0, 4147589, 59423, 'epoch 7', 940005);
INSERT INTO public.heddle_line VALUES ('pine', 22, 3, 'Sam', 1700000022000, 'WAIVER', 7, 567852828, 0, 4147589, 0, 'could not be paid in epoch 7', 940005);
INSERT INTO public.heddle_line VALUES ('pine', 23, 0, 'alice', 1700000023000, 'CHARGE', 8, -430615574, 945311625, 3571825, 86021, 'epoch 8', 626026);
INSERT INTO public.heddle_line VALUES ('pine', 23, 1, 'sam', 1700000023000, 'CHARGE', 8, -141502139, 184427635, 2166177, 49746, 'epoch 8', 860545);
INSERT INTO public.heddle_line VALUES ('pine', 24, 0, 'bob', 1700000024000, 'DEPOSIT', 0, 4025986633, 4025986633, 0, 0, 'why', 0);
INSERT INTO public.heddle_line VALUES ('pine', 25, 0, 'x_1', 1700000025000, 'CHARGE', 9, 0, 0, 1311292, 19388, 'epoch 9', 826042);
INSERT INTO public.heddle_line VALUES ('pine', 25, 1, 'x_1', 1700000025000, 'WAIVER', 9, 624830172, 0, 1311292, 0, 'could not be paid in epoch 9', 826042);


--
-- Data for Name: heddle_posting; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.heddle_posting VALUES ('pine', 6, 0, 'alice', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 6, 1, '#revenue', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 6, 2, 'sam', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 6, 3, '#revenue', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 6, 4, 'x_1', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 6, 5, '#revenue', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 8, 0, '#mint', -4044746545);
INSERT INTO public.heddle_posting VALUES ('pine', 8, 1, 'sam', 4044746545);
INSERT INTO public.heddle_posting VALUES ('pine', 10, 0, 'sam', -3088552927);
INSERT INTO public.heddle_posting VALUES ('pine', 10, 1, '#mint', 3088552927);
INSERT INTO public.heddle_posting VALUES ('pine', 11, 0, 'alice', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 11, 1, '#mint', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 13, 0, 'Sam', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 13, 1, '#revenue', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 13, 2, 'sam', -87605692);
INSERT INTO public.heddle_posting VALUES ('pine', 13, 3, '#revenue', 87605692);
INSERT INTO public.heddle_posting VALUES ('pine', 13, 4, 'x_1', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 13, 5, '#revenue', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 14, 0, 'alice', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 14, 1, '#revenue', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 14, 2, 'x_1', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 14, 3, '#revenue', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 15, 0, 'alice', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 15, 1, '#revenue', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 15, 2, 'sam', -371332909);
INSERT INTO public.heddle_posting VALUES ('pine', 15, 3, '#revenue', 371332909);
INSERT INTO public.heddle_posting VALUES ('pine', 17, 0, 'sam', -171325243);
INSERT INTO public.heddle_posting VALUES ('pine', 17, 1, '#revenue', 171325243);
INSERT INTO public.heddle_posting VALUES ('pine', 18, 0, 'Sam', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 18, 1, '#mint', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 20, 0, '#mint', -1894181841);
INSERT INTO public.heddle_posting VALUES ('pine', 20, 1, 'alice', 1894181841);
INSERT INTO public.heddle_posting VALUES ('pine', 21, 0, 'alice', -518254642);
INSERT INTO public.heddle_posting VALUES ('pine', 21, 1, '#revenue', 518254642);
INSERT INTO public.heddle_posting VALUES ('pine', 21, 2, 'x_1', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 21, 3, '#revenue', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 22, 0, 'bob', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 22, 1, '#revenue', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 22, 2, 'Sam', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 22, 3, '#revenue', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 23, 0, 'alice', -430615574);
INSERT INTO public.heddle_posting VALUES ('pine', 23, 1, '#revenue', 430615574);
INSERT INTO public.heddle_posting VALUES ('pine', 23, 2, 'sam', -141502139);
INSERT INTO public.heddle_posting VALUES ('pine', 23, 3, '#revenue', 141502139);
INSERT INTO public.heddle_posting VALUES ('pine', 24, 0, '#mint', -4025986633);
INSERT INTO public.heddle_posting VALUES ('pine', 24, 1, 'bob', 4025986633);
INSERT INTO public.heddle_posting VALUES ('pine', 25, 0, 'x_1', 0);
INSERT INTO public.heddle_posting VALUES ('pine', 25, 1, '#revenue', 0);


--
-- Data for Name: heddle_record; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Name: heddle_account heddle_account_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.heddle_account
    ADD CONSTRAINT heddle_account_pkey PRIMARY KEY (cluster, queue);


--
-- Name: heddle_application heddle_application_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.heddle_application
    ADD CONSTRAINT heddle_application_pkey PRIMARY KEY (cluster, queue, sequence, application);


--
-- Name: heddle_audit heddle_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.heddle_audit
    ADD CONSTRAINT heddle_audit_pkey PRIMARY KEY (cluster, sequence);


--
-- Name: heddle_epoch heddle_epoch_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.heddle_epoch
    ADD CONSTRAINT heddle_epoch_pkey PRIMARY KEY (cluster, number);


--
-- Name: heddle_income_schedule heddle_income_schedule_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.heddle_income_schedule
    ADD CONSTRAINT heddle_income_schedule_pkey PRIMARY KEY (cluster, id);


--
-- Name: heddle_income_weight heddle_income_weight_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.heddle_income_weight
    ADD CONSTRAINT heddle_income_weight_pkey PRIMARY KEY (cluster, id, queue);


--
-- Name: heddle_ledger heddle_ledger_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.heddle_ledger
    ADD CONSTRAINT heddle_ledger_pkey PRIMARY KEY (cluster);


--
-- Name: heddle_line heddle_line_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.heddle_line
    ADD CONSTRAINT heddle_line_pkey PRIMARY KEY (cluster, queue, sequence, line);


--
-- Name: heddle_posting heddle_posting_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.heddle_posting
    ADD CONSTRAINT heddle_posting_pkey PRIMARY KEY (cluster, sequence, posting);


--
-- Name: heddle_record heddle_record_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.heddle_record
    ADD CONSTRAINT heddle_record_pkey PRIMARY KEY (cluster, kind, id);


--
-- Name: heddle_application_by_sequence; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX heddle_application_by_sequence ON public.heddle_application USING btree (cluster, sequence);


--
-- Name: heddle_line_by_sequence; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX heddle_line_by_sequence ON public.heddle_line USING btree (cluster, sequence);


--
-- PostgreSQL database dump complete
--


