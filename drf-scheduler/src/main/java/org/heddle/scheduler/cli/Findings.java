// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The findings of a command by section, in the order of its checks. */
final class Findings {
    /** Severity of a finding. */
    public enum Kind {
        OK,
        /** Correct, but the administrator may not expect it. */
        NOTE,
        PROBLEM,
        NOT_CHECKED;

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * One finding.
     *
     * @param fix what to do about it; empty if nothing has to be done
     */
    record Finding(Kind kind, String text, String fix) {}

    private final Map<String, List<Finding>> sections = new LinkedHashMap<>();
    private List<Finding> current = new ArrayList<>();

    /** Begins a section. */
    void section(String name) {
        current = sections.computeIfAbsent(name, key -> new ArrayList<>());
    }

    void ok(String text) {
        current.add(new Finding(Kind.OK, text, ""));
    }

    void note(String text) {
        current.add(new Finding(Kind.NOTE, text, ""));
    }

    void problem(String text, String fix) {
        current.add(new Finding(Kind.PROBLEM, text, fix));
    }

    void notChecked(String text) {
        current.add(new Finding(Kind.NOT_CHECKED, text, ""));
    }

    long count(Kind kind) {
        return sections.values().stream()
                .flatMap(List::stream)
                .filter(finding -> finding.kind() == kind)
                .count();
    }

    void print(PrintWriter out) {
        sections.forEach((name, findings) -> {
            out.println(name);
            for (Finding finding : findings) {
                out.printf(Locale.ROOT, "  %-12s %s%n", finding.kind().word(), finding.text());
                if (!finding.fix().isEmpty()) {
                    out.printf(Locale.ROOT, "  %-12s fix: %s%n", "", finding.fix());
                }
            }
        });
    }

    /** For {@link Json}. */
    List<Object> asList() {
        List<Object> list = new ArrayList<>();
        sections.forEach((name, findings) -> {
            List<Object> all = new ArrayList<>();
            for (Finding finding : findings) {
                Map<String, Object> one = new LinkedHashMap<>();
                one.put("kind", finding.kind().word().replace(' ', '-'));
                one.put("text", finding.text());
                one.put("fix", finding.fix());
                all.add(one);
            }
            Map<String, Object> section = new LinkedHashMap<>();
            section.put("section", name);
            section.put("findings", all);
            list.add(section);
        });
        return list;
    }
}
