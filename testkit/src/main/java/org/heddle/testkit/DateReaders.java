// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the classes that read the date, which can step at any moment. What waits or expires must not depend on it, so
 * the test of a module names the few classes that may read it, each with its reason, and compares.
 */
public final class DateReaders {
    private static final String NOW = "now";
    private static final String NEW = "<init>()";

    /**
     * The methods that tell the date, by class. With a pair of brackets: only without arguments. Empty: all methods.
     */
    private static final Map<String, Set<String>> SOURCES = Map.ofEntries(
            Map.entry("java.lang.System", Set.of("currentTimeMillis")),
            Map.entry("java.time.Clock", Set.of()),
            Map.entry("java.time.InstantSource", Set.of()),
            Map.entry("java.time.Instant", Set.of(NOW)),
            Map.entry("java.time.LocalDate", Set.of(NOW)),
            Map.entry("java.time.LocalDateTime", Set.of(NOW)),
            Map.entry("java.time.LocalTime", Set.of(NOW)),
            Map.entry("java.time.OffsetDateTime", Set.of(NOW)),
            Map.entry("java.time.OffsetTime", Set.of(NOW)),
            Map.entry("java.time.Year", Set.of(NOW)),
            Map.entry("java.time.YearMonth", Set.of(NOW)),
            Map.entry("java.time.ZonedDateTime", Set.of(NOW)),
            Map.entry("java.util.Calendar", Set.of("getInstance")),
            Map.entry("java.util.Date", Set.of(NEW)),
            Map.entry("java.util.GregorianCalendar", Set.of(NEW)),
            Map.entry("org.apache.hadoop.util.Time", Set.of(NOW)),
            Map.entry("org.apache.hadoop.yarn.util.Clock", Set.of()),
            Map.entry("org.apache.hadoop.yarn.util.SystemClock", Set.of()),
            Map.entry("org.apache.hadoop.yarn.util.UTCClock", Set.of()),
            Map.entry("org.apache.spark.util.SystemClock", Set.of()),
            Map.entry("org.heddle.settings.Clocks", Set.of("date", "dateOf", "datesWithoutSteps", "millisAt")));

    private DateReaders() {}

    /**
     * Names of the top-level classes that read the date, by a call or a reference to a method.
     *
     * @param root the package that all of them are in; left out of their names
     */
    public static Set<String> in(JavaClasses classes, String root) {
        return classes.stream()
                .filter(one -> codeUnits(one).anyMatch(DateReaders::readsDate))
                .map(one -> one.getName().replaceFirst("\\$.*", ""))
                .filter(name -> !name.equals("org.heddle.settings.Clocks"))
                .map(name -> name.startsWith(root + ".") ? name.substring(root.length() + 1) : name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<CodeUnitAccessTarget> codeUnits(JavaClass one) {
        return one.getCodeUnitAccessesFromSelf().stream().map(JavaCodeUnitAccess::getTarget);
    }

    private static boolean readsDate(CodeUnitAccessTarget called) {
        Set<String> methods = SOURCES.get(called.getOwner().getName());
        return methods != null
                && (methods.isEmpty()
                        || methods.contains(called.getName())
                        || (methods.contains(called.getName() + "()")
                                && called.getRawParameterTypes().isEmpty()));
    }
}
