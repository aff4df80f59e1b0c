// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.OfferFilters;
import org.apache.mesos.v1.Protos.Value;
import org.apache.mesos.v1.scheduler.Protos.AttributeConstraint;
import org.apache.mesos.v1.scheduler.Protos.OfferConstraints;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.model.Resources;
import org.jspecify.annotations.Nullable;

/**
 * The requirements of a framework on its offers for one role: the minimum of an offer ({@code
 * FrameworkInfo.offer_filters}) and the nodes ({@code offer_constraints}).
 *
 * @param minimums alternatives, of which an offer must hold one; empty for the bridge's own minimum
 * @param groups alternatives, of which a node must meet all constraints of one; empty for all nodes
 */
public record OfferRequirements(List<Resources> minimums, List<List<Rule>> groups) {
    /** A constraint with its regular expression, which is matched in linear time, or null. */
    public record Rule(
            AttributeConstraint constraint, @Nullable Pattern pattern) {
        static Rule of(AttributeConstraint constraint) {
            String regex = regex(constraint);
            return new Rule(constraint, regex.isEmpty() ? null : Pattern.compile(regex));
        }

        private static String regex(AttributeConstraint constraint) {
            AttributeConstraint.Predicate predicate = constraint.getPredicate();
            if (predicate.hasTextMatches()) {
                return predicate.getTextMatches().getRegex();
            }
            return predicate.getTextNotMatches().getRegex();
        }

        /** Whether the whole text matches. */
        boolean matches(@Nullable String text) {
            return text != null && (pattern == null ? text.isEmpty() : pattern.matches(text));
        }
    }

    public static final OfferRequirements NONE = new OfferRequirements(List.of(), List.of());
    private static final int LONGEST_REGEX = 1_000;
    private static final Set<String> COUNTED = Set.of("cpus", "mem", "disk", "gpus");

    /** The reason why no offer can meet the requirements, or null. */
    public static @Nullable String problem(FrameworkInfo info, OfferConstraints constraints) {
        List<String> roles = RoleNames.of(info);
        for (Map.Entry<String, OfferFilters> filter : info.getOfferFiltersMap().entrySet()) {
            if (!roles.contains(filter.getKey())) {
                return "'FrameworkInfo.offer_filters' has role '" + filter.getKey()
                        + "', which is not a role of the framework";
            }
            for (OfferFilters.ResourceQuantities one :
                    filter.getValue().getMinAllocatableResources().getQuantitiesList()) {
                for (Map.Entry<String, Value.Scalar> quantity :
                        one.getQuantitiesMap().entrySet()) {
                    double value = quantity.getValue().getValue();
                    if (!COUNTED.contains(quantity.getKey()) || !(value >= 0 && value < 1e12)) {
                        return "'FrameworkInfo.offer_filters' wants " + quantity.getKey() + " = " + value
                                + ": use amounts >= 0 of cpus, mem, disk and gpus";
                    }
                }
            }
        }
        for (Map.Entry<String, OfferConstraints.RoleConstraints> of :
                constraints.getRoleConstraintsMap().entrySet()) {
            if (!roles.contains(of.getKey())) {
                return "'offer_constraints' has role '" + of.getKey() + "', which is not a role of the framework";
            }
            for (OfferConstraints.RoleConstraints.Group group : of.getValue().getGroupsList()) {
                for (AttributeConstraint constraint : group.getAttributeConstraintsList()) {
                    String problem = problem(constraint);
                    if (problem != null) {
                        return problem;
                    }
                }
            }
        }
        return null;
    }

    private static @Nullable String problem(AttributeConstraint constraint) {
        if (constraint.getPredicate().getPredicateCase()
                == AttributeConstraint.Predicate.PredicateCase.PREDICATE_NOT_SET) {
            return "'offer_constraints' has a constraint without a predicate";
        }
        if (constraint.getSelector().getSelectorCase() == AttributeConstraint.Selector.SelectorCase.SELECTOR_NOT_SET) {
            return "'offer_constraints' has a constraint without a selector";
        }
        String regex = Rule.regex(constraint);
        if (regex.length() > LONGEST_REGEX) {
            return "'offer_constraints' has a regular expression of " + regex.length() + " characters: want at most "
                    + LONGEST_REGEX;
        }
        try {
            Rule.of(constraint);
            return null;
        } catch (PatternSyntaxException e) {
            return "'offer_constraints' has the regular expression '" + regex + "', which RE2 cannot read: "
                    + e.getDescription();
        }
    }

    public static OfferRequirements of(FrameworkInfo info, OfferConstraints constraints, String role) {
        List<Resources> minimums = new ArrayList<>();
        OfferFilters filters = info.getOfferFiltersOrDefault(role, OfferFilters.getDefaultInstance());
        for (OfferFilters.ResourceQuantities one :
                filters.getMinAllocatableResources().getQuantitiesList()) {
            Map<String, Value.Scalar> quantities = one.getQuantitiesMap();
            minimums.add(new Resources(
                    (long) Math.ceil(amount(quantities, "cpus") * 1000),
                    (long) Math.ceil(amount(quantities, "mem")),
                    (long) Math.ceil(amount(quantities, "disk")),
                    org.heddle.offers.model.Ports.NONE,
                    (long) Math.ceil(amount(quantities, "gpus"))));
        }
        List<List<Rule>> groups = constraints
                .getRoleConstraintsMap()
                .getOrDefault(role, OfferConstraints.RoleConstraints.getDefaultInstance())
                .getGroupsList()
                .stream()
                .map(group -> group.getAttributeConstraintsList().stream()
                        .map(Rule::of)
                        .toList())
                .toList();
        return new OfferRequirements(List.copyOf(minimums), groups);
    }

    private static double amount(Map<String, Value.Scalar> quantities, String name) {
        return quantities.getOrDefault(name, Value.Scalar.getDefaultInstance()).getValue();
    }

    /** Whether an offer of this size is large enough. {@code otherwise} is the minimum of frameworks that set none. */
    public boolean enough(Resources bundle, Resources otherwise) {
        return minimums.isEmpty() ? bundle.covers(otherwise) : minimums.stream().anyMatch(bundle::contains);
    }

    /** The smallest request that is large enough: of those with the least memory, the first one. */
    public Resources least(Resources otherwise) {
        return minimums.stream()
                .min(java.util.Comparator.comparingLong(Resources::memMb))
                .map(Resources::scheduled)
                .orElse(otherwise);
    }

    public boolean wants(@Nullable ClusterNode node) {
        return groups.isEmpty()
                || (node != null
                        && groups.stream().anyMatch(group -> group.stream().allMatch(one -> holds(one, node))));
    }

    private static boolean holds(Rule rule, ClusterNode node) {
        String value = value(rule.constraint().getSelector(), node);
        AttributeConstraint.Predicate predicate = rule.constraint().getPredicate();
        return switch (predicate.getPredicateCase()) {
            case EXISTS -> value != null;
            case NOT_EXISTS -> value == null;
            case TEXT_EQUALS -> predicate.getTextEquals().getValue().equals(value);
            case TEXT_NOT_EQUALS -> !predicate.getTextNotEquals().getValue().equals(value);
            case TEXT_MATCHES -> rule.matches(value);
            case TEXT_NOT_MATCHES -> !rule.matches(value);
            case PREDICATE_NOT_SET -> false;
        };
    }

    private static @Nullable String value(AttributeConstraint.Selector selector, ClusterNode node) {
        if (selector.hasPseudoattributeType()) {
            if (selector.getPseudoattributeType() == AttributeConstraint.Selector.PseudoattributeType.HOSTNAME) {
                return node.host();
            }
            return null;
        }
        if (selector.getAttributeName().equals("rack")) {
            return node.rack();
        }
        return node.attributes().get(selector.getAttributeName());
    }
}
